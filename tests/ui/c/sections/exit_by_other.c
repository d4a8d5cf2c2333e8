// verdict: holds
// states: 96
// Main waits for a thread that never ends, but that one can exit for all.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *toggle(void *unused) {
    for (;;)
        x ^= 1;
    return unused;
}

static void *work(void *unused) {
    for (;;)
        if (x)
            _Exit(0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, toggle, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    return 0;
}
