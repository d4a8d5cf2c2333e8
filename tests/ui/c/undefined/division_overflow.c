// verdict: violated undefined
// states: 9
#include <limits.h>

int main(void) {
    volatile int a = INT_MIN, b = -1;
    return a % b; //~ error
}
