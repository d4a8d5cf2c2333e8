// verdict: holds
// states: 31732
// native
// Functions of long double that are exact or correctly rounded.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>

static const long double values[] = {0.0L, -0.0L, 0.5L, -0.5L, 1.0L, -1.0L, 1.5L, 2.5L, -2.5L, 3.14159L, 2.0L, 100.25L, -7.75L,
                                     1e-10L, 1e10L, 1e4000L, -1e300L, 1e-4940L, 18446744073709551615.0L, INFINITY, -INFINITY};
#define COUNT (sizeof values / sizeof *values)

typedef long double (*unary)(long double);
typedef long double (*binary)(long double, long double);

static void show(long double result) {
    int code = errno;
    if (result != result)
        printf("nan");
    else
        printf("%La", result);
    printf("/%d ", code);
}

int main(void) {
    long double (*volatile split)(long double, long double *) = modfl;
    static const unary one[] = {fabsl, floorl, ceill, truncl, roundl, roundevenl, rintl, nearbyintl, sqrtl, logbl};
    static const binary two[] = {fmodl, remainderl, copysignl, fmaxl, fminl, fdiml, nextafterl};
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
                long double result = two[f](values[i], values[j]);
                if (f == 6)
                    errno = 0;
                show(result);
            }
            printf("\n");
        }
    for (unsigned i = 0; i < COUNT; i++) {
        long double x = values[i], whole;
        int exponent = 0;
        errno = 0;
        show(frexpl(x, &exponent));
        show(split(x, &whole));
        show(whole);
        show(ldexpl(x, 3)), show(scalbnl(x, 100)), show(scalblnl(x, -5)), show(fmal(x, 2, 1));
        errno = 0;
        int logarithm = ilogbl(x);
        printf("%d %d %d ", isfinite(x) ? exponent : 0, logarithm, errno);
        if (fabsl(x) < 1e18L)
            printf("%ld %lld %ld %lld", lrintl(x), llrintl(x), lroundl(x), llroundl(x));
        printf(" %d %d %d %d %d\n", isnan(x) != 0, isinf(x), isfinite(x) != 0, signbit(x) != 0, fpclassify(x));
    }
    return 0;
}
