// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
int *p = &n;

void t(void) {
    pthread_mutex_lock(&m);
    while (n > 0)
        n--;
    pthread_mutex_unlock(&m);
}

void e(void) {
    *p = nondet();
}
