// verdict: inconclusive
// options: --thread drain
#include <pthread.h>
int n = 10;

void *drain(void *arg) {
    while (n > 0)
        n--;
    return arg;
}

void *fill(void *arg) {
    n = 10;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, drain, 0);
    pthread_create(&b, 0, fill, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
