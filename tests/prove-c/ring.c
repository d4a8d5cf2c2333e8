// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int head, tail;

void t(void) {
    pthread_mutex_lock(&m);
    while (head < tail)
        head++;
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    if (tail < 1000000)
        tail++;
    pthread_mutex_unlock(&m);
}
