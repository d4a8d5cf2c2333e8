// verdict: violated section
// states: 7
// exeunt: --no-weak-failures
// Values that differ are still a reason to fail.
#include <exeunt.h>
#include <stdatomic.h>

static atomic_int lock = 1;

int main(void) {
    int expected = 0;
    exeunt_wait_begin("the lock"); //~ error
    while (!atomic_compare_exchange_weak(&lock, &expected, 1))
        expected = 0;
    exeunt_wait_end("the lock");
    return 0;
}
