// verdict: violated memory
// states: 7
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    char *volatile q = p;
    free(p);
    q = realloc(q, 8); //~ error
    return q != 0;
}
