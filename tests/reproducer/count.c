// A lost update between the read and the write of `n++`, and of `n = n + 1`.
#include <assert.h>
#include <pthread.h>

static int n;

static void *add(void *unused) {
    n++;
    n = n + 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 4);
    return 0;
}
