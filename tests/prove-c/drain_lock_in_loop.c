// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void t(void) {
    int left = 1;
    while (left) {
        pthread_mutex_lock(&m);
        if (n > 0)
            n--;
        left = n > 0;
        pthread_mutex_unlock(&m);
    }
}

void e(void) {
    pthread_mutex_lock(&m);
    n = 2;
    pthread_mutex_unlock(&m);
}
