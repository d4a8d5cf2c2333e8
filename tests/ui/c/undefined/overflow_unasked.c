// verdict: holds
// states: 13
// Without --undefined integers wrap around.
#include <limits.h>

int main(void) {
    volatile int x = INT_MAX;
    volatile int y = x + 1;
    (void)y;
    return 0;
}
