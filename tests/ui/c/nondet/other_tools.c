// verdict: violated assertion
// states: 18
// exeunt: -DEXEUNT_NONDET -include exeunt.h
// Inputs as other tools name them.
#include <assert.h>
#include <stddef.h>

_Bool nondet_bool();
void *nondet_pointer();

int main(void) {
    if (nondet_bool())
        assert(nondet_pointer() == NULL); //~ error
    return 0;
}
