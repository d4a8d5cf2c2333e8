// verdict: holds
// options: --thread t --env 'e,f' --fair
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int flag, x;

void t(void) {
    while (!flag)
        ;
}

void e(void) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    flag = 1;
}

void f(void) {
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
}
