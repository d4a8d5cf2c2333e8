// verdict: violated memory
#include <stdlib.h>

int main(void) {
    char *volatile p = malloc(8);
    free(p);
    free(p); //~ error
    return 0;
}
