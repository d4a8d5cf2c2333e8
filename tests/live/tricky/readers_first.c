// verdict: holds
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* Reading twice is right with a lock that prefers readers. */
static pthread_rwlock_t l;
static void *work(void *arg) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}
int main(void) {
    pthread_rwlockattr_t a;
    pthread_rwlockattr_init(&a);
    pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_READER_NP);
    pthread_rwlock_init(&l, &a);
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
