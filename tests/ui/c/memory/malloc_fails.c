// verdict: violated memory
// states: 6
// exeunt: --malloc-fails
// With --malloc-fails an unchecked malloc is null.
#include <stdlib.h>

int main(void) {
    volatile int *p = malloc(sizeof *p);
    *p = 1; //~ error
    free((void *)p);
    return 0;
}
