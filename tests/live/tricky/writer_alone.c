// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A writer is alone; a reader may try to write and is told that it cannot. */
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int readers, writers;
static void *read_it(void *arg) {
    pthread_rwlock_rdlock(&l);
    assert(writers == 0);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}
static void *write_it(void *arg) {
    pthread_rwlock_wrlock(&l);
    writers++;
    assert(writers == 1 && readers == 0);
    assert(pthread_rwlock_rdlock(&l) == EDEADLK);
    writers--;
    pthread_rwlock_unlock(&l);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, read_it, 0);
    pthread_create(&u, 0, write_it, 0);
    write_it(0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
