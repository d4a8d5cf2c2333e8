// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n = 7;

void t(void) {
    pthread_mutex_lock(&m);
    while (n != 0)
        n--;
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    if (n < 100)
        n++;
    pthread_mutex_unlock(&m);
}
