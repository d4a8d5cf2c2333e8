// verdict: holds
// states: 20
// native
// Types that the calling convention does not distinguish.
#include <stdio.h>

int add(int a, int b) { return a + b; }
double mix(int a, double x, long b) { return a + x + b; }
void nothing(void) { }
static long wide(long x) { return x + 1; }

int main(void)
{
    long (*as_long)(long, long, long) = (long (*)(long, long, long))add;
    double (*mixed)(double, int, long) = (double (*)(double, int, long))mix;
    void (*more)(int, char *) = (void (*)(int, char *))nothing;
    int (*narrow)(long) = (int (*)(long))wide;
    printf("%d\n", (int)as_long(3, 4, 5));
    printf("%g\n", mixed(0.5, 1, 2));
    more(1, "x");
    printf("%d\n", narrow((1L << 40) + 6));
}
// optimised
