// verdict: inconclusive
// options: --thread t --env 'e*,f*'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void f(void) {
    pthread_mutex_unlock(&m); // takes the lock away
}

void t(void) {
    pthread_mutex_lock(&m);
    while (n > 0)
        n--;
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    n = 3;
    pthread_mutex_unlock(&m);
}
