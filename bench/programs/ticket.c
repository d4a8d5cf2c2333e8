// A ticket lock, taken ROUNDS times by each of THREADS threads. BROKEN: thread 1
// leaves its last round without serving the next ticket.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int next, serving;
static volatile int inside;

EXEUNT_MUST_RETURN static void lock(void) {
    int ticket = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != ticket) {
    }
}

static void unlock(void) { atomic_fetch_add(&serving, 1); }

static void *work(void *who) {
    for (int i = 0; i < ROUNDS; i++) {
        lock();
        inside++;
        assert(inside == 1);
        inside--;
#ifdef BROKEN
        if ((long)who == 1 && i == ROUNDS - 1)
            return who;
#endif
        unlock();
    }
    return who;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
