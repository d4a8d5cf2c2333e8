// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* The owner of a robust mutex ends; the next one is told and repairs. */
static pthread_mutex_t m;
static int half;
static void *dies(void *arg) {
    assert(pthread_mutex_lock(&m) == 0);
    half = 1;
    return arg;
}
static void *repairs(void *arg) {
    int code = pthread_mutex_lock(&m);
    assert(code == 0 || code == EOWNERDEAD);
    if (code == EOWNERDEAD) {
        assert(half == 1);
        half = 0;
        assert(pthread_mutex_consistent(&m) == 0);
    }
    assert(pthread_mutex_unlock(&m) == 0);
    return arg;
}
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_t t, u;
    pthread_create(&t, 0, repairs, 0);
    pthread_create(&u, 0, dies, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    int code = pthread_mutex_lock(&m);
    assert(code == EOWNERDEAD || (code == 0 && half == 0));
    return 0;
}
