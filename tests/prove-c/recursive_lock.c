// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
#define _GNU_SOURCE
int n = 2;
pthread_mutex_t r = {.__data.__kind = PTHREAD_MUTEX_RECURSIVE_NP};

void t(void) {
    pthread_mutex_lock(&r);
    while (n > 0)
        n--;
    pthread_mutex_unlock(&r);
}

void e(void) {
    n = 2;
}
