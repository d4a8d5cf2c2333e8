// verdict: violated race
// states: 36
// exeunt: --races
// The fence must be before the store.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int x;

static void *work(void *unused) {
    x = 1; //~ error
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 1)
        x = 2; //~ error
    pthread_join(thread, 0);
    return 0;
}
