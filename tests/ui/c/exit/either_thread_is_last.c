// verdict: violated assertion
// states: 34
// Whoever ends last runs the handlers: it may be main.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_t first;
volatile int x;

void handler(void) { assert(!pthread_equal(pthread_self(), first)); } //~ error

void *worker(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    first = pthread_self();
    atexit(handler);
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    x = 2;
    pthread_exit(0);
}
// optimised
