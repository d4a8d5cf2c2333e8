// A bounded buffer: a mutex, two conditions, PRODUCERS and CONSUMERS that each
// move ITEMS items. BROKEN: one condition for both sides, and `signal` can wake the
// wrong one; with fewer places than threads that is a lost wake-up.
#include <assert.h>
#include <pthread.h>

#ifdef BROKEN
#include "clock.h"
#endif

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef ROOM
#define ROOM 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int used;

#ifdef BROKEN
#define FILLED (&filled)
#define EMPTIED (&filled)
#else
#define FILLED (&filled)
#define EMPTIED (&emptied)
#endif

static void *produce(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (used == ROOM)
            pthread_cond_wait(EMPTIED, &mutex);
        used++;
        pthread_cond_signal(FILLED);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *consume(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (used == 0)
            pthread_cond_wait(FILLED, &mutex);
        assert(used > 0 && used <= ROOM);
        used--;
        pthread_cond_signal(EMPTIED);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t threads[PRODUCERS + CONSUMERS];
#ifdef BROKEN
    start_clock();
#endif
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_create(&threads[i], 0, i < PRODUCERS ? produce : consume, 0);
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
