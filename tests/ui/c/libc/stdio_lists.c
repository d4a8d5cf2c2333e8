// verdict: holds
// states: 216
// native
// Functions with a va_list, which they advance.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const char *format, ...) {
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    int length = vprintf(format, list);
    va_end(list);
    char buffer[20];
    int needed = vsnprintf(buffer, sizeof buffer, format, copy);
    va_end(copy);
    printf(" %d %d [%s]\n", length, needed, buffer);
}

static void twice(int count, ...) {
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        printf("%d:", va_arg(list, int));
    vfprintf(stdout, "%s %Lf %d %f\n", list);
    va_end(list);
}

static char *make(const char *format, ...) {
    va_list list;
    char *text;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    va_end(list);
    return text;
}

static int scan(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsscanf(text, format, list);
    va_end(list);
    return count;
}

int main(void) {
    print("%d %s %c", 1, "two", '3');
    print("%f %ld %g %x %Lg", 1.5, 2L, 2.5, 16u, 3.5L);
    print("%*d|%-*d|%.*f", 5, 1, 5, 2, 2, 3.14159);
    twice(3, 1, 2, 3, "text", 4.5L, 6, 7.5);
    char *text = make("%s-%05d", "made", 42);
    puts(text);
    free(text);
    char *fresh;
    printf("%d ", asprintf(&fresh, "%d%%", 50));
    puts(fresh);
    free(fresh);
    int a, b;
    printf("%d ", scan("10,20", "%d,%d", &a, &b));
    printf("%d %d\n", a, b);
    return 0;
}
