// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void t(void) {
    for (int i = 0; i < n; i++)
        ;
}

void e(void) {
    pthread_mutex_lock(&m);
    if (n > 0)
        n--;
    pthread_mutex_unlock(&m);
}
