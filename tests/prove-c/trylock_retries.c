// verdict: violated
// options: --thread t --env 'e'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void t(void) {
    while (n == 0)
        if (pthread_mutex_trylock(&m) == 0)
            pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    n = 1;
    pthread_mutex_unlock(&m);
}
