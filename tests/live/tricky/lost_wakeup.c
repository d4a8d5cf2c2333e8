// verdict: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* The flag is looked at outside of the lock that the signal is given in. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    int seen = ready;
    pthread_mutex_unlock(&m);
    if (!seen) {
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    return 0;
}
