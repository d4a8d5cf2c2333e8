// verdict: violated undefined
// states: 7
#include <stdlib.h>

int main(void) {
    volatile int zero = 0;
    return div(1, zero).quot; //~ error
}
