// verdict: holds
// states: 40
// Nothing points to what was freed: one outcome for each allocation.
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 5; i++) {
        int *p = malloc(4);
        *p = i;
        free(p);
    }
}
// optimised
