// verdict: holds
// states: 55472
// native
// Functions of double: every bit and errno.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>

static const double values[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.14159, 10.0, 100.25, -7.75,
                                1e-10, 1e10, 1e100, -1e300, 1e-320, 709.9, -745.5, INFINITY, -INFINITY};
#define COUNT (sizeof values / sizeof *values)

typedef double (*unary)(double);
typedef double (*binary)(double, double);

static void show(double result) {
    int code = errno;
    if (result != result)
        printf("nan");
    else
        printf("%a", result);
    printf("/%d ", code);
}

int main(void) {
    double (*volatile split)(double, double *) = modf;
    static const unary one[] = {acos, asin, atan, cos, sin, tan, acosh, asinh, atanh, cosh, sinh, tanh, exp, exp2, exp10,
        expm1, log, log10, log2, log1p, logb, sqrt, cbrt, fabs, ceil, floor, trunc, round, roundeven, rint, nearbyint,
        tgamma, erf, erfc, lgamma};
    static const binary two[] = {atan2, pow, fmod, remainder, hypot, fdim, fmax, fmin, nextafter, copysign};
    for (unsigned f = 0; f < sizeof one / sizeof *one; f++) {
        for (unsigned i = 0; i < COUNT; i++) {
            errno = 0;
            show(one[f](values[i]));
        }
        printf("\n");
    }
    for (unsigned f = 0; f < sizeof two / sizeof *two; f++)
        for (unsigned i = 0; i < COUNT; i++) {
            for (unsigned j = i % 3; j < COUNT; j += 3) {
                errno = 0;
                show(two[f](values[i], values[j]));
            }
            printf("\n");
        }
    for (unsigned i = 0; i < COUNT; i++) {
        double x = values[i], whole, sine, cosine;
        int exponent = 0, sign = 0, quotient = 0;
        errno = 0;
        show(frexp(x, &exponent));
        show(split(x, &whole));
        show(whole);
        show(ldexp(x, 3)), show(ldexp(x, -2000)), show(scalbn(x, 1000)), show(scalbln(x, -5));
        show(lgamma_r(x, &sign));
        sincos(x, &sine, &cosine);
        show(sine), show(cosine), show(fma(x, 2, 1)), show(jn(2, x)), show(yn(1, fabs(x) + 1));
        show(remquo(x, 0.75, &quotient));
        show(nexttoward(x, 1.0L));
        errno = 0;
        int logarithm = ilogb(x);
        printf("%d %d %d %d %d ", isfinite(x) ? exponent : 0, sign, isfinite(x) ? quotient : 0, logarithm, errno);
        if (fabs(x) < 1e18)
            printf("%ld %lld %ld %lld", lrint(x), llrint(x), lround(x), llround(x));
        printf(" %d %d %d %d %d\n", isnan(x) != 0, isinf(x), isfinite(x) != 0, signbit(x) != 0, fpclassify(x));
    }
    volatile double result = nan("");
    printf("%d\n", result != result);
    return 0;
}
