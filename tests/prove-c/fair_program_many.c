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
    pthread_t a, b[3];
    pthread_create(&a, 0, t, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&b[i], 0, e, 0);
    pthread_join(a, 0);
}
