// verdict: violated section
// states: 11
// Štill and Barnat, Fig. 1: the condition of the wait is just the opposite of what was
// meant, so a worker that comes late waits for ever, and so does its joiner.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *unused) {
    while (x != 0) { //~ error
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
