// verdict: holds
// states: 14
// exeunt: --sections user --all
// A weak compare-exchange may fail for no reason, but one that is retried for
// ever succeeds some time: the default.
#include <exeunt.h>
#include <stdatomic.h>

static atomic_int lock;

int main(void) {
    exeunt_wait_begin("the lock");
    for (int expected = 0; !atomic_compare_exchange_weak(&lock, &expected, 1); expected = 0) {
    }
    exeunt_wait_end("the lock");
    return 0;
}
