// verdict: holds
// states: 7
// native
// Widths, flags and lengths of integer conversions.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%x] [%X] [%#x] [%o] [%#o] [%u]\n", 255, 255, 255, 8, 8, 4000000000u);
    printf("[%hhd] [%hd] [%ld] [%lld] [%zu] [%td] [%jd]\n", (char)300, (short)70000, LONG_MIN,
           LLONG_MAX, (size_t)7, (ptrdiff_t)-7, (intmax_t)1);
    printf("[%.0d] [%.3d] [%8.3d] [%-8.3d] [%+.2d]\n", 0, 7, 7, 7, 7);
    printf("[%*d] [%-*d] [%.*d] [%c] [%%]\n", 6, 1, 6, 2, 4, 3, 'x');
    return 0;
}
