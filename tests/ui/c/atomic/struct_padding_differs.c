// verdict: violated assertion
// states: 46
// The padding of a value that was put together by hand need not be that of the
// value in memory: the exchange may fail once, and then has it right.
#include <assert.h>
#include <stdatomic.h>

struct part { char a; int b; };
_Atomic struct part s;

int main(void)
{
    struct part e, n;
    e.a = 0;
    e.b = 0;
    n.a = 1;
    n.b = 1;
    int first = atomic_compare_exchange_strong(&s, &e, n);
    int second = first || atomic_compare_exchange_strong(&s, &e, n);
    assert(second);
    assert(first); //~ error
}
