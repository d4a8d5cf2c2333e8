// verdict: violated assertion
// states: 33
// A thread is not at its end because it has done all that others can see: a
// join that does not wait can tell.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *work(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (x == 1)
        assert(pthread_tryjoin_np(thread, 0) == 0);  //~ error
    return 0;
}
