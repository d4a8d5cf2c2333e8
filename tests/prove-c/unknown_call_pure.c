// verdict: holds
// options: --thread t --env 'e*' --pure mystery
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void mystery(void);

void t(void) {
    pthread_mutex_lock(&m);
    while (n > 0) {
        n--;
        mystery();
    }
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    n = 3;
    pthread_mutex_unlock(&m);
}
