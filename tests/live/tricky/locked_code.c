// verdict: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* Correctly locked code has no race; the join in the lock is what is wrong. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    shared++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    shared++;
    pthread_join(t, 0);
    pthread_mutex_unlock(&m);
    return 0;
}
