// verdict: violated undefined
// states: 15
// exeunt: -- -Wno-format
#include <stdarg.h>
#include <stdio.h>

static void print(const char *format, ...) {
    va_list list;
    va_start(list, format);
    char buffer[16];
    vsnprintf(buffer, sizeof buffer, format, list); //~ error
    va_end(list);
}

int main(void) {
    print("%ld\n", 5);
    return 0;
}
