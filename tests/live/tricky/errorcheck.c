// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* An error-checking mutex answers instead of blocking for ever. */
static pthread_mutex_t m;
static void *other(void *arg) {
    assert(pthread_mutex_unlock(&m) == EPERM);
    return arg;
}
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &a);
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    assert(pthread_mutex_unlock(&m) == 0);
    pthread_join(t, 0);
    return 0;
}
