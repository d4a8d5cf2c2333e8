// verdict: holds
// options: --thread t --fair
#include <pthread.h>
_Atomic int flag;

void *t(void *arg) {
    while (!flag)
        ;
    return arg;
}

void *e(void *arg) {
    flag = 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t, 0);
    pthread_create(&b, 0, e, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
