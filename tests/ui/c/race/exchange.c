// verdict: holds
// states: 44
// exeunt: --races
// A compare-exchange that succeeds has the first order.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int x;

static void *work(void *unused) {
    x = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int expected = 1;
    if (atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_acquire,
                                                memory_order_relaxed))
        x = 2;
    pthread_join(thread, 0);
    return 0;
}
// optimised
