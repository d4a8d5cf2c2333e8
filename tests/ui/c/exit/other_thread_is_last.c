// verdict: violated assertion
// states: 40
// Whoever ends last runs the handlers: it may be the other thread, although main wrote last.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_t first;
volatile int x;

void handler(void) { assert(pthread_equal(pthread_self(), first)); } //~ error

void *worker(void *unused)
{
    x = 1;
    while (x != 2) { }
    return 0;
}

int main(void)
{
    pthread_t t;
    first = pthread_self();
    atexit(handler);
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    while (x != 1) { }
    x = 2;
    pthread_exit(0);
}
// optimised
