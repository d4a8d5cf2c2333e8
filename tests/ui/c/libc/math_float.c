// verdict: holds
// states: 57546
// native
// Functions of float: every bit and errno.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>

static const float values[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.14159, 10.0, 100.25, -7.75,
                                1e-10, 1e10, 1e20f, -1e38f, 1e-44f, 88.9f, -104.5f, INFINITY, -INFINITY};
#define COUNT (sizeof values / sizeof *values)

typedef float (*unary)(float);
typedef float (*binary)(float, float);

static void show(float result) {
    int code = errno;
    if (result != result)
        printf("nan");
    else
        printf("%a", result);
    printf("/%d ", code);
}

int main(void) {
    float (*volatile split)(float, float *) = modff;
    static const unary one[] = {acosf, asinf, atanf, cosf, sinf, tanf, acoshf, asinhf, atanhf, coshf, sinhf, tanhf, expf, exp2f, exp10f,
        expm1f, logf, log10f, log2f, log1pf, logbf, sqrtf, cbrtf, fabsf, ceilf, floorf, truncf, roundf, roundevenf, rintf, nearbyintf,
        tgammaf, erff, erfcf, lgammaf};
    static const binary two[] = {atan2f, powf, fmodf, remainderf, hypotf, fdimf, fmaxf, fminf, nextafterf, copysignf};
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
        float x = values[i], whole, sine, cosine;
        int exponent = 0, sign = 0, quotient = 0;
        errno = 0;
        show(frexpf(x, &exponent));
        show(split(x, &whole));
        show(whole);
        show(ldexpf(x, 3)), show(ldexpf(x, -2000)), show(scalbnf(x, 1000)), show(scalblnf(x, -5));
        show(lgammaf_r(x, &sign));
        sincosf(x, &sine, &cosine);
        show(sine), show(cosine), show(fmaf(x, 2, 1));
        show(remquof(x, 0.75, &quotient));
        show(nexttowardf(x, 1.0L));
        errno = 0;
        int logarithm = ilogbf(x);
        printf("%d %d %d %d %d ", isfinite(x) ? exponent : 0, sign, isfinite(x) ? quotient : 0, logarithm, errno);
        if (fabsf(x) < 1e18)
            printf("%ld %lld %ld %lld", lrintf(x), llrintf(x), lroundf(x), llroundf(x));
        printf(" %d %d %d %d %d\n", isnan(x) != 0, isinf(x), isfinite(x) != 0, signbit(x) != 0, fpclassify(x));
    }
    volatile float result = nanf("");
    printf("%d\n", result != result);
    return 0;
}
