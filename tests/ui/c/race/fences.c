// verdict: holds
// states: 45
// exeunt: --races
// Two fences and a relaxed flag between them.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int x;

static void *work(void *unused) {
    x = 1;
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) {
        atomic_thread_fence(memory_order_seq_cst);
        x = 2;
    }
    pthread_join(thread, 0);
    return 0;
}
// optimised
