// THREADS threads add to a sum behind a mutex and meet at a barrier, ROUNDS times.
// BROKEN: thread 1 leaves before the last round, and the others wait for it while a
// clock goes on.
#include <assert.h>
#include <pthread.h>

#ifdef BROKEN
#include "clock.h"
#endif

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *who) {
    for (int i = 0; i < ROUNDS; i++) {
#ifdef BROKEN
        if ((long)who == 1 && i == ROUNDS - 1)
            return who;
#endif
        pthread_mutex_lock(&mutex);
        sum++;
        pthread_mutex_unlock(&mutex);
        pthread_barrier_wait(&barrier);
        assert(sum >= THREADS * (i + 1));
    }
    return who;
}

int main(void) {
    pthread_t threads[THREADS];
#ifdef BROKEN
    start_clock();
#endif
    pthread_barrier_init(&barrier, 0, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
