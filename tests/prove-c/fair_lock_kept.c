// verdict: violated
// options: --thread t --env e --fair
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int flag;

void t(void) {
    pthread_mutex_lock(&m);
    while (!flag)
        ;
    pthread_mutex_unlock(&m);
}

void e(void) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
}
