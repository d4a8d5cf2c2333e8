// verdict: violated undefined
#include <limits.h>

int main(void) {
    volatile int a = INT_MIN, b = -1;
    return a % b; //~ error
}
