// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
#define _GNU_SOURCE
int n = 2;
pthread_mutex_t r = {.__data.__kind = PTHREAD_MUTEX_RECURSIVE_NP};

void t(void) {
    pthread_mutex_lock(&r);
    while (n > 0) {
        pthread_mutex_lock(&r);
        n--;
        pthread_mutex_unlock(&r);
    }
    pthread_mutex_unlock(&r);
}

void e(void) {
    pthread_mutex_lock(&r);
    n = nondet();
    pthread_mutex_unlock(&r);
}
