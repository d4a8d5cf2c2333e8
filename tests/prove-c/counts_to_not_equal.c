// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void t(void) {
    while (n != 0)
        n--;
}

void e(void) {
    pthread_mutex_lock(&m);
    if (n > 0)
        ;
    pthread_mutex_unlock(&m);
}
