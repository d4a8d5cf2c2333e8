// verdict: violated race
// states: 84
// exeunt: --races
// What was written while nobody else could reach it counts as well.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *work(void *unused) {
    int *mine = malloc(sizeof *mine);
    *mine = 1; //~ error
    atomic_store_explicit(&shared, mine, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int *theirs = atomic_load_explicit(&shared, memory_order_relaxed);
    int value = theirs ? *theirs : 1; //~ error
    pthread_join(thread, 0);
    free(shared);
    return value - 1;
}
// optimised
