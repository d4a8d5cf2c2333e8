// verdict: holds
// states: 24
// Nobody interrupts an atomic block.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>

static volatile int counter;

static void *work(void *unused) {
    exeunt_atomic_begin();
    counter = counter + 1;
    exeunt_atomic_end();
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
