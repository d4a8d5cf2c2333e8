// verdict: holds
// options: --thread t --fair
#include <pthread.h>
_Atomic int stop;

void *t(void *arg) {
    while (!stop)
        ;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    stop = 1;
    pthread_join(a, 0);
}
