// verdict: holds
// states: 54
// native
//
// Vector types and integers of odd widths, as clang has them.
#include <stdio.h>

typedef int int4 __attribute__((vector_size(16)));

static int4 blend(int4 a, int4 b) {
    int4 mask = a > b;
    return (a & mask) | (b & ~mask);
}

int main(void) {
    int4 a = {1, 20, 3, 40}, b = {10, 2, 30, 4};
    int4 c = blend(a, b) + a * b;
    printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
    unsigned _BitInt(37) wide = 0x1fffffffffuwb;
    wide += 2;
    printf("%llu\n", (unsigned long long)wide);
    static void *labels[] = {&&one, &&two};
    int i = 0;
again:
    goto *labels[i];
one:
    puts("one");
    i = 1;
    goto again;
two:
    puts("two");
    return 0;
}
