// verdict: holds
/* A condition variable with another clock: the wait is signalled or times out, never both lost. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int ready;
static void *work(void *a) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    pthread_condattr_t attr;
    clockid_t id;
    pthread_condattr_init(&attr);
    assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&attr, &id) == 0 && id == CLOCK_MONOTONIC);
    pthread_cond_init(&c, &attr);
    pthread_condattr_destroy(&attr);
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 5;
    int code = 0;
    pthread_mutex_lock(&m);
    while (!ready && code == 0) code = pthread_cond_timedwait(&c, &m, &until);
    assert(code == 0 || code == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(ready);
    pthread_cond_destroy(&c);
    return 0;
}
