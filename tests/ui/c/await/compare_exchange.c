// verdict: violated section
// states: 8
// A failed compare-exchange changes nothing that others see.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn = 1;

static void *take(void *unused) {
    int expected;
    do
        expected = 2;
    while (!atomic_compare_exchange_strong(&turn, &expected, 3)); //~ error
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    for (;;) {
    }
}
