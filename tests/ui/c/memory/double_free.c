// verdict: violated memory
// states: 8
#include <stdlib.h>

int main(void) {
    char *volatile p = malloc(8);
    free(p);
    free(p); //~ error
    return 0;
}
