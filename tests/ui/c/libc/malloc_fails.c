// verdict: violated memory
// states: 14
// exeunt: --malloc-fails
#include <stdlib.h>

int main(void) {
    int *volatile p = malloc(sizeof *p);
    *p = 1; //~ error
    free(p);
    return 0;
}
