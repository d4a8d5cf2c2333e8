// verdict: violated assertion
// states: 51
// The thread says that it is ready before its last write, and main does not
// wait. It ends when main is the only one left, but it may have been there.
#include <assert.h>
#include <pthread.h>

static volatile int ready, result;

static void *worker(void *unused) {
    ready = 1;
    result = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    if (ready) {
        result = 2;
        assert(result == 2); //~ error
    }
    pthread_join(thread, 0);
    return 0;
}
// optimised
