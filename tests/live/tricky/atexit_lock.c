// verdict: violated deadlock
/* A handler of atexit needs a lock that is held. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void last(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}
static void *work(void *a) {
    pthread_mutex_lock(&m);
    return a;
}
int main(void) {
    pthread_t t;
    atexit(last);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
