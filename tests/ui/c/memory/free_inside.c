// verdict: violated memory
// states: 7
// A pointer into the middle of a block cannot be freed.
#include <stdlib.h>

int main(void) {
    char *volatile p = malloc(8);
    free(p + 1); //~ error
    return 0;
}
