// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n, k;

void t(void) {
    pthread_mutex_lock(&m);
    while (n > 0) {
        n--;
        for (int i = 0; i < 5; i++)
            k = i;
    }
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    n = nondet();
    pthread_mutex_unlock(&m);
}
