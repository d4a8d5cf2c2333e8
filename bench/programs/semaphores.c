// A pool of PLACES places guarded by a semaphore; THREADS threads take and give back,
// ROUNDS times. BROKEN: thread 0 keeps its place in the last round, which leaves too
// few for the others, while a clock goes on.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifdef BROKEN
#include "clock.h"
#endif

#ifndef THREADS
#define THREADS 3
#endif
#ifndef PLACES
#define PLACES 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static sem_t places;
static atomic_int used;

static void *work(void *who) {
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&places);
        assert(atomic_fetch_add(&used, 1) < PLACES);
        atomic_fetch_sub(&used, 1);
#ifdef BROKEN
        if ((long)who < PLACES && i == ROUNDS - 1)
            return who;
#endif
        sem_post(&places);
    }
    return who;
}

int main(void) {
    pthread_t threads[THREADS];
#ifdef BROKEN
    start_clock();
#endif
    sem_init(&places, 0, PLACES);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
