// verdict: violated memory
// states: 7
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    char *volatile q = p;
    free(p);
    free(q); //~ error
    return 0;
}
