/* Cancellation, one case for each value of PART. All hold but for FORGETFUL,
 * where the cancelled thread keeps its mutex. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int cleaned;
static void clean(void *arg) {
    cleaned++;
    if (arg) pthread_mutex_unlock((pthread_mutex_t *)arg);
}
static void *work(void *arg) {
#if PART == 1 /* in a wait on a condition: the mutex is held again */
    pthread_mutex_lock(&m);
#ifdef FORGETFUL
    pthread_cleanup_push(clean, (void *)0);
#else
    pthread_cleanup_push(clean, &m);
#endif
    for (;;) pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
#elif PART == 2 /* in a semaphore */
    pthread_cleanup_push(clean, (void *)0);
    sem_wait(&s);
    sem_wait(&s);
    pthread_cleanup_pop(0);
#elif PART == 3 /* not while it is disabled */
    int old;
    pthread_cleanup_push(clean, (void *)0);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    sleep(1);
    cleaned += 10;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    for (;;) pthread_testcancel();
    pthread_cleanup_pop(0);
#elif PART == 4 /* in a sleep, or before it is asked to: both results */
    pthread_cleanup_push(clean, (void *)0);
    usleep(10);
    pthread_cleanup_pop(0);
#endif
    return arg;
}
int main(void) {
    pthread_t t;
    void *result;
    sem_init(&s, 0, 1);
    assert(pthread_create(&t, 0, work, (void *)7) == 0);
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    assert(pthread_cancel(t) == 0);
    assert(pthread_join(t, &result) == 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
#if PART == 1 || PART == 2
    assert(result == PTHREAD_CANCELED && cleaned == 1);
#elif PART == 3
    assert(result == PTHREAD_CANCELED && cleaned == 11);
#else
    assert((result == PTHREAD_CANCELED && cleaned == 1) || (result == (void *)7 && cleaned == 0));
#endif
    return 0;
}
