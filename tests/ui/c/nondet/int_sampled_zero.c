// verdict: violated assertion
// states: 9
// A telling value is among the samples.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 0); //~ error
    return 0;
}
