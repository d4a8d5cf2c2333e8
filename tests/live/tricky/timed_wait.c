// verdict: violated assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A wait with a deadline may time out although a signal comes. */
#include <time.h>
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
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    int code = 0;
    if (!ready) code = pthread_cond_timedwait(&c, &m, &until);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(code == 0);
    return 0;
}
