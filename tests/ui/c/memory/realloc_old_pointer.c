// verdict: violated memory
// states: 13
// The old pointer is dead after realloc.
#include <stdlib.h>

int main(void) {
    int *volatile p = malloc(sizeof *p);
    if (!p)
        return 0;
    int *q = realloc(p, 100 * sizeof *q);
    if (q) {
        *p = 1; //~ error
        free(q);
    }
    return 0;
}
