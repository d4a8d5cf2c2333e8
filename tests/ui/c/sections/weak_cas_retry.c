// verdict: violated section
// states: 14
// exeunt: --sections user --all --weak-failures demonic
// A weak compare-exchange may fail for no reason, and the standard does not say
// that it does so only a few times.
#include <exeunt.h>
#include <stdatomic.h>

static atomic_int lock;

int main(void) {
    exeunt_wait_begin("the lock"); //~ error
    for (int expected = 0; !atomic_compare_exchange_weak(&lock, &expected, 1); expected = 0) {
    }
    exeunt_wait_end("the lock");
    return 0;
}
