// verdict: holds
// states: 45
// native
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double x = 1234.5678, tiny = 1e-10, zero = 0;
    printf("[%f] [%.2f] [%10.1f] [%-10.1f] [%+.0f] [%#.0f]\n", x, x, x, x, x, x);
    printf("[%e] [%.3E] [%g] [%g] [%G] [%.10g]\n", x, x, x, tiny, tiny, x);
    printf("[%a] [%.2a] [%A]\n", x, x, 1.0);
    printf("[%f] [%F] [%5.1f] [%f] [%g]\n", 1 / zero, -1 / zero, zero / zero < 0 ? 1.0 : 2.0, -zero, 100000000.0);
    printf("[%Lf] [%.3Le] [%Lg]\n", 1.5L, 1e300L, 0.1L);
    printf("[%.20f] [%.0f] [%.0f] [%.0f]\n", 0.1, 0.5, 1.5, 2.5);
    return 0;
}
