// verdict: violated memory
// states: 1
#include <stdatomic.h>

_Atomic int x;

int main(void)
{
    int expected;
    return atomic_compare_exchange_strong(&x, &expected, 1); //~ error
}
// optimised
