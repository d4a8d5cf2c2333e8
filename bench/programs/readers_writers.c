// READERS readers and WRITERS writers of a pthread rwlock, ROUNDS times each.
// BROKEN: the writer that writes last returns with the lock held.
#include <assert.h>
#include <pthread.h>

#ifdef BROKEN
#include "clock.h"
#endif

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int first, second;

static void *reader(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_rwlock_rdlock(&lock);
        assert(first == second);
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *writer(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_rwlock_wrlock(&lock);
        first++;
        second++;
#ifdef BROKEN
        if (first == WRITERS * ROUNDS)
            return unused;
#endif
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[READERS + WRITERS];
#ifdef BROKEN
    start_clock();
#endif
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_create(&threads[i], 0, i < READERS ? reader : writer, 0);
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
