// The argument is not zero, so the loop is not entered; that it is not, is not proven.
// verdict: inconclusive
// options: --thread t
#include <pthread.h>

void *t(void *arg) {
    long n = (long)arg;
    while (n == 0)
        ;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, (void *)1);
    pthread_join(a, 0);
}
