// verdict: holds
// states: 88
// Functions that POSIX does not list: a cancelled thread comes back from all of them.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
pthread_barrier_t b;
pthread_once_t o = PTHREAD_ONCE_INIT;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
sem_t s;
_Atomic int go;
struct timespec now;

void initialise(void) { }

void *worker(void *unused)
{
    while (!go) { }
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_timedlock(&m, &now);
    pthread_mutex_unlock(&m);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    pthread_barrier_wait(&b);
    pthread_once(&o, initialise);
    pthread_cond_signal(&c);
    sem_post(&s);
    sem_trywait(&s);
    free(malloc(1));
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    sem_init(&s, 0, 0);
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&b, 0, 1);
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    go = 1;
    pthread_join(t, &result);
    assert(result == 0);
}
// optimised
