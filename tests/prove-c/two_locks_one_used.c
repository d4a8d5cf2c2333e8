// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
int n;

void t(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&other);
    while (n > 0)
        n--;
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    n = nondet();
    pthread_mutex_unlock(&m);
}
