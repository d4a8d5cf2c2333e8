// verdict: inconclusive
// options: --thread t --env 'write'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void write(int *p) {
    *p = 3;
}

void t(void) {
    pthread_mutex_lock(&m);
    while (n > 0)
        n--;
    pthread_mutex_unlock(&m);
}
