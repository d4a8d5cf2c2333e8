// verdict: holds
/* Trying to lock for reading fails only because of a writer, for writing because of anybody. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *work(void *a) {
    int code = pthread_rwlock_tryrdlock(&l);
    assert(code == 0 || code == EBUSY);
    if (code == 0) {
        assert(pthread_rwlock_trywrlock(&l) == EBUSY);
        pthread_rwlock_unlock(&l);
    }
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (pthread_rwlock_trywrlock(&l) == 0) pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
