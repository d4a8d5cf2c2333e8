// verdict: holds
// states: 10
// exeunt: --reuse never
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *p = malloc(4);
    uintptr_t old = (uintptr_t)p;
    free(p);
    void *q = malloc(4);
    assert((uintptr_t)q != old);
    free(q);
}
// optimised
