// verdict: holds
// states: 9
// exeunt: --no-weak-failures
// The retry loop of weak_cas_retry, on a machine whose compare-exchange fails
// only if the values differ.
#include <exeunt.h>
#include <stdatomic.h>

static atomic_int lock;

int main(void) {
    int expected = 0;
    exeunt_wait_begin("the lock");
    while (!atomic_compare_exchange_weak(&lock, &expected, 1))
        expected = 0;
    exeunt_wait_end("the lock");
    return 0;
}
