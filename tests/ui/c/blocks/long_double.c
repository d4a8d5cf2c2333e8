// verdict: violated assertion
// states: 38
// A long double is more than a word.
#include <assert.h>
#include <pthread.h>

long double shared = 1.0L;

void *writer(void *arg) {
    shared = -3.0L;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    long double seen = shared;
    assert(seen == 1.0L || seen == -3.0L); //~ error
    pthread_join(thread, 0);
}
// optimised
