// The queue lock of Mellor-Crummey and Scott, taken ROUNDS times by each of THREADS
// threads. BROKEN: who finds no successor at once does not wait for the one who has
// swapped itself in and is about to link itself: that one waits for ever.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

struct place {
    _Atomic(struct place *) next;
    atomic_int wait;
};

static _Atomic(struct place *) last;
static struct place places[THREADS];
static volatile int inside;

EXEUNT_MUST_RETURN static void lock(struct place *mine) {
    mine->next = NULL;
    mine->wait = 1;
    struct place *before = atomic_exchange(&last, mine);
    if (before == NULL)
        return;
    before->next = mine;
    while (mine->wait) {
    }
}

static void unlock(struct place *mine) {
    struct place *next = mine->next;
    if (next == NULL) {
        struct place *me = mine;
        if (atomic_compare_exchange_strong(&last, &me, NULL))
            return;
#ifdef BROKEN
        return;
#endif
        while ((next = mine->next) == NULL) {
        }
    }
    next->wait = 0;
}

static void *work(void *who) {
    struct place *mine = &places[(long)who];
    for (int i = 0; i < ROUNDS; i++) {
        lock(mine);
        inside++;
        assert(inside == 1);
        inside--;
        unlock(mine);
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
