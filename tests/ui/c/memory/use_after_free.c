// verdict: violated memory
// states: 6
#include <stdlib.h>

int main(void) {
    volatile char *p = malloc(8);
    if (!p)
        return 1;
    p[0] = 'a';
    free((void *)p);
    return p[0]; //~ error
}
