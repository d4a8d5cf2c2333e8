// verdict: holds
// states: 31
// The same with a thread that sets the flag some time.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *wait(void *unused) {
    while (!ready) {
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    ready = 1;
    pthread_join(thread, 0);
}
