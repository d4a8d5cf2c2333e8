// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int n;

void t(void) {
    pthread_mutex_lock(&m);
    while (n > 0) {
        n--;
        pthread_cond_wait(&c, &m);
    }
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    n = 5;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
}
