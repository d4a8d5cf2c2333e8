// verdict: holds
// states: 66
// native
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double x = 2.25, y = -7.5;
    printf("%.12g %.12g %.12g\n", sqrt(x), pow(x, 3), fabs(y));
    printf("%g %g %g %g %g\n", floor(y), ceil(y), trunc(y), round(y), rint(y));
    printf("%g %g %g\n", fmod(y, x), fmin(x, y), fmax(x, y));
    printf("%.12g %.12g %.12g\n", sin(x), exp(x), log(x));
    printf("%d %d %d\n", isnan(y) != 0, signbit(y) != 0, isinf(x) != 0);
    int exponent;
    double fraction = frexp(x, &exponent);
    printf("%g %d\n", fraction, exponent);
    return 0;
}
