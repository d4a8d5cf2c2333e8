// verdict: holds
// options: --thread main --fair
#include <pthread.h>
_Atomic int ready;

void *e(void *arg) {
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, e, 0);
    while (!ready)
        ;
}
