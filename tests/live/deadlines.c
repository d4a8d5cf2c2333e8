/* Functions with a clock, joins that do not wait, and waits that end for
 * nothing (SPURIOUS: the wait is not repeated). All are used right otherwise. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
static struct timespec until;
static void *work(void *arg);
#if PART == 1 /* semaphores and readers-writer locks with a clock */
static sem_t s;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *work(void *arg) {
    if (sem_clockwait(&s, CLOCK_MONOTONIC, &until) != 0) assert(errno == ETIMEDOUT);
    int code = pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &until);
    assert(code == 0 || code == ETIMEDOUT);
    if (code == 0) pthread_rwlock_unlock(&l);
    return arg;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, work, 0);
    int code = pthread_rwlock_clockrdlock(&l, CLOCK_REALTIME, &until);
    assert(code == 0 || code == ETIMEDOUT);
    sem_post(&s);
    if (code == 0) pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
#elif PART == 2 /* a join that asks, and one with a deadline */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, work, (void *)7);
    int code = pthread_tryjoin_np(t, &result);
    assert(code == 0 || code == EBUSY);
    if (code == EBUSY) {
        code = pthread_timedjoin_np(t, &result, &until);
        assert(code == 0 || code == ETIMEDOUT);
    }
#ifdef SURE
    assert(code == 0);
#endif
    if (code != 0) code = pthread_join(t, &result);
    assert(code == 0 && result == (void *)7);
    return 0;
}
#else /* a wait that is not repeated */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
#ifdef SPURIOUS
    if (!ready) pthread_cond_wait(&c, &m);
#else
    while (!ready) pthread_cond_wait(&c, &m);
#endif
    assert(ready);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
#endif
