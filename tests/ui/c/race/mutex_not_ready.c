// verdict: violated race
// states: 15
// exeunt: --races
// A mutex must be made before others use it, and they must be told.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m;
static atomic_int ready;

static void *work(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        pthread_mutex_lock(&m); //~ error
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_init(&m, 0);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    pthread_join(thread, 0);
    return 0;
}
// optimised
