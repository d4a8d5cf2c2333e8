// verdict: violated assertion
// states: 14
// A weak compare-exchange may fail for no reason.
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = 1;
    int expected = 1;
    assert(atomic_compare_exchange_weak(&x, &expected, 2)); //~ error
    return 0;
}
