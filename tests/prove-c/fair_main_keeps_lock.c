// verdict: inconclusive
// options: --thread t --fair
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic int flag;

void *t(void *arg) {
    while (!flag)
        ;
    return arg;
}

void *e(void *arg) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_mutex_lock(&m);
    pthread_create(&b, 0, e, 0);
    pthread_create(&a, 0, t, 0);
    pthread_join(a, 0);
    pthread_mutex_unlock(&m);
}
