// Helper and another thread may wait for each other's lock.
// verdict: violated
// options: --thread t --env 'e,f' --fair
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int flag;

void t(void) {
    while (!flag)
        ;
}

void e(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    flag = 1;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
}

void f(void) {
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
}
