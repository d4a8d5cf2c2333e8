// verdict: holds
// states: 13
// exeunt: --malloc-fails
#include <stdlib.h>

int main(void) {
    volatile int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 1;
    free((void *)p);
    return 0;
}
