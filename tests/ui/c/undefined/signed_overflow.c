// verdict: violated undefined
// states: 10
// exeunt: --undefined
#include <limits.h>

int main(void) {
    volatile int x = INT_MAX;
    volatile int y = x + 1; //~ error
    (void)y;
    return 0;
}
