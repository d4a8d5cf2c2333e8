// verdict: violated memory
// states: 7
#include <stdlib.h>

int main(void) {
    char *volatile p = malloc(4);
    free(p + 1); //~ error
    return 0;
}
