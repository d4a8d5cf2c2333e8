// verdict: holds
// states: 11215
// native
// Text to numbers: values, ends and errors.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const integers[] = {
    "", " ", "0", "-0", "+7", "  42abc", "\t\n-13 ", "0x1F", "0X", "0xg", "017", "08", "0b101", "zz", "ZZ!",
    "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-1", "--1", "+-1", "1_000",
    "99999999999999999999999999", "-99999999999999999999999999", "ffffffffffffffff", "7fffffffffffffffg",
};
static const char *const reals[] = {
    "", ".", "+", "-.", "0", "-0", "1", "-1.5", ".5", "5.", "1e", "1e+", "1e5", "1E-5x", "1.7976931348623157e308",
    "1.7976931348623159e308", "1e309", "-1e400", "2.2250738585072014e-308", "2.2250738585072011e-308", "5e-324",
    "2e-324", "1e-400", "0x1p4", "0x1.8p-1z", "0x.8", "0x", "0xp1", "0x1p-1074", "0x1p-1075", "0x1p1024",
    "0x1.fffffffffffff8p1023", "inf", "-INFINITY", "infinit", "nan", "-nan", "nan(0x12)", "nan(", "NAN(zz)!",
    "3.141592653589793238462643383279", "0.1", "123456789012345678901234567890", "1e0000000000000000001",
    "0e999999999999", "0.000000000000000000000000000000000000000001e50", "9007199254740993", "9007199254740992.5",
    "8.5e-46", "3.5e38", "1.17549435e-38", "1e-40", "1e4933", "3e-4951", "1e-4960", "16777217", "33554433",
};

int main(void) {
    static const int bases[] = {0, 2, 8, 10, 16, 36, 1, 37};
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++) {
        const char *text = integers[i];
        for (unsigned j = 0; j < sizeof bases / sizeof *bases; j++) {
            char *end = (char *)text;
            errno = 0;
            long value = strtol(text, &end, bases[j]);
            printf("%ld %d %d ", value, (int)(end - text), errno);
            errno = 0;
            unsigned long positive = strtoul(text, &end, bases[j]);
            printf("%lu %d %d ", positive, (int)(end - text), errno);
        }
        printf("%d %ld %lld %lld %llu %jd %ju\n", atoi(text), atol(text), atoll(text), strtoll(text, NULL, 10),
               strtoull(text, NULL, 16), strtoimax(text, NULL, 8), strtoumax(text, NULL, 0));
    }
    for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++) {
        const char *text = reals[i];
        char *end;
        errno = 0;
        double d = strtod(text, &end);
        printf("%a %d %d ", d, (int)(end - text), errno);
        errno = 0;
        float f = strtof(text, &end);
        printf("%a %d %d ", f, (int)(end - text), errno);
        errno = 0;
        long double l = strtold(text, &end);
        printf("%La %d %d %g\n", l, (int)(end - text), errno, atof(text));
    }
    return 0;
}
