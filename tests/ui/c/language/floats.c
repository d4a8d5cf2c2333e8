// verdict: holds
// states: 28
// native
// Conversions between floating point and integers.
#include <stdio.h>

int main(void) {
    volatile float f = 16777217.0f;
    volatile double d = -2.75;
    volatile long double l = 1.0L / 3;
    printf("%.1f %d %u %lld\n", f, (int)d, (unsigned)3.99, (long long)1e15);
    printf("%.15g %.17g\n", (double)l, 1.0 / 3);
    printf("%d %d %d\n", d < 0, d == -2.75, (0.1 + 0.2) == 0.3);
    printf("%.10f\n", (double)(float)0.1);
    return 0;
}
