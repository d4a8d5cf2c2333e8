// Two locks wanted by THREADS threads that keep trying: who does not get the second
// gives the first back. Starving schedules exist, but the end stays reachable: holds.
// BROKEN: the first is kept while trying for the second.
#include <exeunt.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile int both;

static void take(pthread_mutex_t *one, pthread_mutex_t *other) {
    for (;;) {
        pthread_mutex_lock(one);
#ifdef BROKEN
        while (pthread_mutex_trylock(other) != 0) {
        }
        return;
#else
        if (pthread_mutex_trylock(other) == 0)
            return;
        pthread_mutex_unlock(one);
#endif
    }
}

static void *work(void *who) {
    long me = (long)who % 2;
    for (int i = 0; i < ROUNDS; i++) {
        exeunt_section_begin("both", 0);
        take(&locks[me], &locks[1 - me]);
        both++;
        pthread_mutex_unlock(&locks[1 - me]);
        pthread_mutex_unlock(&locks[me]);
        exeunt_section_end("both", 0);
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
