// verdict: holds
// states: 6441
// native
// sscanf: conversions, widths, sets, and how far a failure reads.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void integer(const char *text, const char *format) {
    int value = -99, used = -1, result = sscanf(text, format, &value, &used);
    printf("%d %d %d\n", result, value, used);
}

static void real(const char *text, const char *format) {
    float value = -99;
    int used = -1, result = sscanf(text, format, &value, &used);
    printf("%d %a %d\n", result, value, used);
}

static void string(const char *text, const char *format) {
    char value[32] = "unset";
    int used = -1, result = sscanf(text, format, value, &used);
    printf("%d [%s] %d\n", result, value, used);
}

int main(void) {
    static const char *volatile integers[] = {"12", " -7x", "+5", "0x1f", "0xg", "0x", "017", "08", "", "   ", "abc", "-",
        "99999999999", "99999999999999999999", "-99999999999999999999", "1234567", "+-3", "0b11"};
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++) {
        integer(integers[i], "%d%n");
        integer(integers[i], "%i%n");
        integer(integers[i], "%u%n");
        integer(integers[i], "%x%n");
        integer(integers[i], "%o%n");
        integer(integers[i], "%3d%n");
        integer(integers[i], "%1x%n");
        integer(integers[i], "%2i%n");
    }
    static const char *volatile reals[] = {"1.5", "-2e3z", "1e", "1e+", ".", ".5", "5.", "0x1.8p1", "0x", "0xg", "inf", "infinity",
        "infin", "nan", "nax", "-nan", "", "x", "1e400", "1.2.3", "+.e1", "1e5e6", "0x1p"};
    for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++) {
        real(reals[i], "%f%n");
        real(reals[i], "%3f%n");
        real(reals[i], " %g%n");
    }
    static const char *volatile strings[] = {"hello world", "  padded", "", "   ", "a-b", "]x", "^y", "123abc", "%sign"};
    static const char *volatile formats[] = {"%s%n", "%3s%n", "%c%n", "%5c%n", "%[a-z]%n", "%[^ ]%n", "%[]x]%n", "%[^]x]%n",
        "%2[0-9]%n", "%*s%s%n", "%%%s%n", " %c%n", "%[a-]%n", "hel%s%n"};
    for (unsigned i = 0; i < sizeof strings / sizeof *strings; i++)
        for (unsigned j = 0; j < sizeof formats / sizeof *formats; j++)
            string(strings[i], formats[j]);

    signed char hh;
    short h;
    long l;
    long long ll;
    intmax_t j;
    size_t z;
    ptrdiff_t t;
    printf("%d ", sscanf("300 70000 -5 6 7 8 9", "%hhd %hd %ld %lld %jd %zu %td", &hh, &h, &l, &ll, &j, &z, &t));
    printf("%d %d %ld %lld %jd %zu %td\n", hh, h, l, ll, j, z, t);
    double d;
    long double e;
    void *p, *q;
    printf("%d ", sscanf("0.1 0.1 0xff (nil)", "%lf %Lf %p %p", &d, &e, &p, &q));
    printf("%a %La %p %p\n", d, e, p, q);
    int a = 0, b = 0, c = 0;
    printf("%d ", sscanf("10:20", "%d : %d %d", &a, &b, &c));
    printf("%d %d %d\n", a, b, c);
    printf("%d ", sscanf("2024-05-06", "%4d-%2d-%2d", &a, &b, &c));
    printf("%d %d %d\n", a, b, c);
    printf("%d %d %d\n", sscanf("x", "y"), sscanf("", "y"), sscanf("abc", "%*d"));
    return 0;
}
