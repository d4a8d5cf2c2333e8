// verdict: holds
// states: 9
// Both values of a bool are tried, so this is a proof.
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void) {
    bool b = __VERIFIER_nondet_bool();
    assert(b || !b);
    return 0;
}
