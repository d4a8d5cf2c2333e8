// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void t(void) {
    if (pthread_mutex_trylock(&m) != 0)
        return;
    while (n > 0)
        n--;
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    n = nondet();
    pthread_mutex_unlock(&m);
}
