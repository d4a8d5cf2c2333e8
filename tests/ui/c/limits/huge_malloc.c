// verdict: inconclusive
// states: 1
//
// A gigabyte in every state is more than the machine takes: it says so.
#include <stdlib.h>

int main(void) {
    char *p = malloc(1L << 30);
    if (p) {
        p[0] = 1;
        free(p);
    }
    return 0;
}
