// verdict: violated memory
// states: 5
#include <stddef.h>

int main(void) {
    volatile int *volatile p = NULL;
    *p = 1; //~ error
    return 0;
}
