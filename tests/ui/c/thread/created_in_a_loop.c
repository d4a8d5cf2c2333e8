// verdict: violated assertion
// states: 32
// reductions: none global tau superstep movers full
// A program without a number of threads: few at a time are looked at first.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *work(void *arg) {
    counter++;
    assert(counter < 3); //~ error
    return arg;
}

int main(void) {
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, work, 0);
}
