// verdict: inconclusive
// options: --thread drain
#include <pthread.h>
int n;

void *drain(void *arg) {
    while (n > 0)
        n--;
    return arg;
}

void *other(void *arg) {
    pthread_t c;
    pthread_create(&c, 0, drain, 0);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&b, 0, other, 0);
    for (int i = 0; i < 10; i++)
        n = 10; // before the second `drain`, not before the first
    pthread_create(&a, 0, drain, 0);
    pthread_exit(0);
}
