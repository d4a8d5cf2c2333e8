// verdict: violated assertion
// states: 36
// Two unprotected increments: one may be lost.
#include <assert.h>
#include <pthread.h>

static volatile int counter;

static void *increment(void *unused) {
    counter = counter + 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, increment, 0);
    counter = counter + 1;
    pthread_join(thread, 0);
    assert(counter == 2); //~ error
    return 0;
}
