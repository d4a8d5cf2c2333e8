// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void t(void) {
    pthread_mutex_lock(&m);
    int step = nondet();
    if (step > 0)
        while (n > 0)
            n = n > step ? n - step : 0;
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    n = nondet();
    pthread_mutex_unlock(&m);
}
