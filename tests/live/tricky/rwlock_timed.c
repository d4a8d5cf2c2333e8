// verdict: holds
/* A writer with a deadline gives up or gets the lock. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *work(void *a) {
    struct timespec until = {1, 0};
    int code = pthread_rwlock_timedwrlock(&l, &until);
    assert(code == 0 || code == ETIMEDOUT);
    if (code == 0) pthread_rwlock_unlock(&l);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_rwlock_rdlock(&l);
    sched_yield();
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
