// verdict: holds
// states: 26
// Štill and Barnat, Fig. 1 as it was meant.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *unused) {
    while (x == 0) {
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    x = 42;
    pthread_join(thread, 0);
    return 0;
}
