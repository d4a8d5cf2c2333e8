// verdict: violated section
// states: 247
// A spin lock of atomics that is never given back. To write 1 over 1 changes nothing, and
// neither does the back-off in between.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int lock;
static volatile int beat;

static void *take(void *unused) {
    while (atomic_exchange(&lock, 1)) { //~ error
        for (int pause = 0; pause < 3; pause++)
            sched_yield();
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, take, 0);
    pthread_create(&b, 0, take, 0);
    for (;;)
        beat ^= 1;
}
