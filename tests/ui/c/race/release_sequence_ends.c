// verdict: violated race
// states: 49
// exeunt: --races
// A relaxed store ends the release sequence, even one of the same thread
// (C++20; C11 differed).
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int x;

static void *work(void *unused) {
    x = 1; //~ error
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        x = 2; //~ error
    pthread_join(thread, 0);
    return 0;
}
