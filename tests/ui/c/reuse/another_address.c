// verdict: violated assertion
// states: 9
// ... and it may give something else.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *p = malloc(4);
    uintptr_t old = (uintptr_t)p;
    free(p);
    void *q = malloc(4);
    assert((uintptr_t)q == old); //~ error
    free(q);
}
// optimised
