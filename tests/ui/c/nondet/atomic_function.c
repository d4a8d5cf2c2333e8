// verdict: holds
// states: 24
// A function whose name says so is atomic as a whole.
#include <assert.h>
#include <pthread.h>

static volatile int counter;

static void __VERIFIER_atomic_increment(void) {
    counter = counter + 1;
}

static void *work(void *unused) {
    __VERIFIER_atomic_increment();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    assert(counter == 2);
    return 0;
}
