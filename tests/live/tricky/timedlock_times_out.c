// verdict: violated assertion
/* A lock with a deadline may fail while another thread holds the lock. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *a) {
    pthread_mutex_lock(&m);
    sched_yield();
    pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    pthread_t t;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_create(&t, 0, work, 0);
    int code = pthread_mutex_timedlock(&m, &until);
    if (code == 0) pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(code == 0);
    return 0;
}
