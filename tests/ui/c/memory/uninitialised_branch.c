// verdict: violated memory
// states: 6
// A decision on a value that was never written.
#include <stdlib.h>

int main(void) {
    volatile int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    if (*p) //~ error
        return 2;
    free((void *)p);
    return 0;
}
