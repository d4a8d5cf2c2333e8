// verdict: violated assertion
// states: 13
// Sleeping for long is no synchronisation.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int done;

static void *worker(void *argument) {
    done = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    sleep(10);
    assert(done == 1); //~ error
    pthread_join(thread, NULL);
    return 0;
}
