// verdict: holds
// states: 23
// exeunt: --real-time
// On a machine that is quick enough the thread that sleeps for a shorter time wakes up
// first (without the option: sleepers.c).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int first;

static void *nap(void *unused) {
    int expected = 0;
    sleep(1);
    atomic_compare_exchange_strong(&first, &expected, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    int expected = 0;
    pthread_create(&thread, 0, nap, 0);
    sleep(3);
    atomic_compare_exchange_strong(&first, &expected, 2);
    assert(first == 1);
    pthread_join(thread, 0);
}
