// verdict: violated memory
// states: 5
#include <stdio.h>

static char small[4];

int main(void) {
    volatile int number = 1234;
    sprintf(small, "%d", number); //~ error
    return 0;
}
