// verdict: holds
// options: --thread drain
#include <pthread.h>
int n;

void *drain(void *arg) {
    while (n > 0)
        n--;
    return arg;
}

void *fill(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b;
    n = 10; // before there are other threads
    pthread_create(&a, 0, drain, 0);
    pthread_create(&b, 0, fill, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
