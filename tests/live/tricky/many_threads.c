// verdict: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* More than 32 threads; the last two take two locks in different orders. */
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *idle(void *arg) { return arg; }
static void *one(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}
static void *two(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void) {
    pthread_t t[42];
    for (int i = 0; i < 42; i++) pthread_create(&t[i], 0, i < 40 ? idle : i == 40 ? one : two, 0);
    for (int i = 0; i < 42; i++) pthread_join(t[i], 0);
    return 0;
}
