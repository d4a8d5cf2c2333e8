// verdict: violated assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A robust mutex that is given back without a repair cannot be locked again. */
static pthread_mutex_t m;
static void *dies(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_t t;
    pthread_create(&t, 0, dies, 0);
    pthread_join(t, 0);
    if (pthread_mutex_lock(&m) == EOWNERDEAD) pthread_mutex_unlock(&m);
    assert(pthread_mutex_lock(&m) != ENOTRECOVERABLE);
    return 0;
}
