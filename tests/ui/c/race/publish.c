// verdict: holds
// states: 95
// exeunt: --races
// A pointer that is published with a release, and used behind an acquire.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *work(void *unused) {
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    atomic_store_explicit(&shared, mine, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int *theirs = atomic_load_explicit(&shared, memory_order_acquire);
    int value = theirs ? *theirs : 1;
    pthread_join(thread, 0);
    free(shared);
    return value - 1;
}
// optimised
