// verdict: violated memory
// states: 37
// One element too many.
#include <stdlib.h>

int main(void) {
    volatile int *a = malloc(4 * sizeof *a);
    if (!a)
        return 1;
    for (int i = 0; i <= 4; i++)
        a[i] = i; //~ error
    free((void *)a);
    return 0;
}
