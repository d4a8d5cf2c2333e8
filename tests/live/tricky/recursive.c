// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A recursive mutex is not given back before its last unlock. */
static pthread_mutex_t m;
static int inside;
static void *work(void *arg) {
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(++inside == 1);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(inside-- == 1);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == EPERM);
    return arg;
}
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
