// verdict: violated assertion
// states: 11
// exeunt: --nondet 10..14
// The range can be given.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 13); //~ error
    return 0;
}
