// verdict: violated memory
// states: 8
#include <stdlib.h>

int main(void) {
    int x = 1;
    int *volatile p = &x;
    free(p); //~ error
    return 0;
}
