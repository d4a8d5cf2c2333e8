/* Loaded before a program (LD_PRELOAD): makes its threads run in other orders
 * than they would by themselves. Calls that matter for the order are preceded
 * by a pause now and then, and so are the places where the program itself
 * calls `perturb`. SHIM_SEED chooses the pauses. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static unsigned seed(void)
{
    static unsigned number;
    if (!number) {
        const char *text = getenv("SHIM_SEED");
        number = text ? (unsigned)atoi(text) + 1 : 1;
    }
    return number;
}

static unsigned roll(void)
{
    static _Thread_local unsigned state;
    static unsigned threads;
    if (!state)
        state = seed() * 2654435761u + 40503u * __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

void perturb(void)
{
    unsigned number = roll();
    if (number % 4 == 0) {
        sched_yield();
    } else if (number % 16 == 1) {
        struct timespec pause = {0, (number >> 8) % 200000};
        /* The program is not to be cancelled in our pauses. */
        int before;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
        nanosleep(&pause, 0);
        pthread_setcancelstate(before, 0);
    }
}

#define BEFORE(result, name, parameters, arguments)                     \
    result name parameters                                              \
    {                                                                   \
        static result (*next) parameters;                               \
        if (!next)                                                      \
            next = (result(*) parameters)dlsym(RTLD_NEXT, #name);       \
        perturb();                                                      \
        return next arguments;                                          \
    }

BEFORE(int, pthread_mutex_lock, (pthread_mutex_t *m), (m))
BEFORE(int, pthread_mutex_trylock, (pthread_mutex_t *m), (m))
BEFORE(int, pthread_mutex_unlock, (pthread_mutex_t *m), (m))
BEFORE(int, pthread_join, (pthread_t t, void **r), (t, r))
BEFORE(int, sem_post, (sem_t *s), (s))
BEFORE(int, sem_wait, (sem_t *s), (s))
