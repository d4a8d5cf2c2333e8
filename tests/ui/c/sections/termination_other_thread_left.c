// verdict: holds
// states: 16
// exeunt: --property termination
// Main returns, and with that a thread ends that would run for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks;

static void *tick(void *unused) {
    for (;;)
        ticks ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, tick, 0);
    return 0;
}
