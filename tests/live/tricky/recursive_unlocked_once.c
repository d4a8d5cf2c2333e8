// verdict: violated deadlock
/* A recursive mutex that was locked twice and unlocked once is still held. */
#include <pthread.h>
static pthread_mutex_t m;
static void *work(void *a) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
