// verdict: violated assertion
// states: 523
//
// Paths that an assumption drops are gone; the others are still explored.
#include <assert.h>

void __VERIFIER_assume(int);
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n > 250);
    assert(n != 255); //~ error
    return 0;
}
