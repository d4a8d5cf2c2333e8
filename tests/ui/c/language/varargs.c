// verdict: holds
// states: 206
// native
#include <stdarg.h>
#include <stdio.h>

struct point {
    double x;
    long y;
};

static double sum(int count, ...) {
    va_list list, copy;
    double total = 0;
    va_start(list, count);
    va_copy(copy, list);
    for (int i = 0; i < count; i++) {
        total += va_arg(list, int);
        total += va_arg(list, double);
    }
    struct point p = va_arg(list, struct point);
    va_end(list);
    printf("%d again\n", va_arg(copy, int));
    va_end(copy);
    return total + p.x + p.y;
}

static void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void) {
    struct point p = {0.25, 100};
    report("%g\n", sum(3, 1, 0.5, 2, 0.5, 3, 0.5, p));
    report("%s %c %lld\n", "text", 'c', 1LL << 40);
    return 0;
}
