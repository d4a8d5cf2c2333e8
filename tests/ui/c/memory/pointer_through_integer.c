// verdict: holds
// states: 15
// A pointer survives the way through an integer.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    if (!p)
        return 0;
    p[1] = 7;
    uintptr_t number = (uintptr_t)p;
    number += sizeof *p;
    assert(*(int *)number == 7);
    free((int *)(number - sizeof *p));
    return 0;
}
