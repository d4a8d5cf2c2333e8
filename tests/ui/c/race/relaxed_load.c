// verdict: violated race
// states: 32
// exeunt: --races
// A release needs an acquire.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int x;

static void *work(void *unused) {
    x = 1; //~ error
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        x = 2; //~ error
    pthread_join(thread, 0);
    return 0;
}
