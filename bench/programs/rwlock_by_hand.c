// A readers-writer lock made of a mutex and a condition. Whoever changes what others
// wait for wakes all of them. BROKEN: a reader that leaves wakes nobody, while a
// clock goes on.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifdef BROKEN
#include "clock.h"
#endif

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers;
static bool writing;

static void *reader(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        while (writing)
            pthread_cond_wait(&changed, &mutex);
        readers++;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
        assert(!writing);
        --readers;
#ifndef BROKEN
        if (readers == 0)
            pthread_cond_broadcast(&changed);
#endif
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *writer(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        while (writing || readers > 0)
            pthread_cond_wait(&changed, &mutex);
        writing = true;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
        assert(readers == 0);
        writing = false;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
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
