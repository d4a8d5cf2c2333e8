// verdict: holds
// states: 86
// exeunt: --races
// The pointer is relaxed, but a lock orders what it points to.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) shared;

static void *work(void *unused) {
    int *mine = malloc(sizeof *mine);
    pthread_mutex_lock(&m);
    *mine = 1;
    atomic_store_explicit(&shared, mine, memory_order_relaxed);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&m);
    int *theirs = atomic_load_explicit(&shared, memory_order_relaxed);
    int value = theirs ? *theirs : 1;
    pthread_mutex_unlock(&m);
    pthread_join(thread, 0);
    free(shared);
    return value - 1;
}
// optimised
