// verdict: holds
// states: 4215
// native
// optimised
// Values of two slots (long double, __int128, _BitInt up to 128 bits) keep
// both halves where control flow joins: loops, conditionals, if and else.
#include <assert.h>
#include <stdio.h>

typedef unsigned _BitInt(100) Bits;
volatile int one = 1, zero;
volatile __int128 a = (__int128)7 << 64 | 3, b = 1;
volatile long double x = 1.5L, y = -2.25L;

static long double sum(int n)
{
    long double s = 0;
    for (int i = 1; i <= n; i++)
        s += i;
    return s;
}

static __int128 power(__int128 base, int n)
{
    __int128 r = 1;
    while (n--)
        r = r * base;
    return r;
}

static void fibonacci(int n, __int128 *out)
{
    __int128 p = 0, q = 1;
    for (int i = 0; i < n; i++) {
        __int128 next = p + q;
        p = q;
        q = next;
    }
    *out = p;
}

static Bits rotate(Bits v, int n)
{
    while (n-- > 0)
        v = v << 1 | v >> 99;
    return v;
}

static int narrow(unsigned char n)
{
    /* one value that is both kept by a loop and used behind it */
    long last = 0;
    unsigned char c;
    do {
        c = n * 3 + 1;
        last = c;
        n = (unsigned char)(c / 4);
    } while (n > 7);
    return last + c;
}

int main(void)
{
    assert(sum(3) == 6);
    __int128 r = one ? a : b;
    assert(r >> 64 == 7 && (long)r == 3);
    r = zero ? a : b;
    assert(r == 1);
    long double z;
    if (one)
        z = x * 2;
    else
        z = y;
    assert(z == 3);
    z = zero ? x : y;
    assert(z == -2.25L);
    assert(power(10, 30) / power(10, 20) == power(10, 10));
    __int128 f;
    fibonacci(150, &f);
    printf("%lx %lx\n", (long)(f >> 64), (long)f);
    printf("%Lg %Lg\n", sum(100), z);
    Bits v = rotate(5, 98);
    printf("%lx %lx %d\n", (long)(v >> 64), (long)v, narrow(200));
    return 0;
}
