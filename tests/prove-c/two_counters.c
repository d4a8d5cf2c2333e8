// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a, b;

void t(void) {
    pthread_mutex_lock(&m);
    while (a > 0 || b > 0) {
        if (a > 0)
            a--;
        else
            b--;
    }
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    a = nondet();
    b = nondet();
    pthread_mutex_unlock(&m);
}
