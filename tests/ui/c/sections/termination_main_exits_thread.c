// verdict: violated termination
// states: 11
// exeunt: --property termination
// Main leaves by pthread_exit: the program lives on with its other thread.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks;

static void *tick(void *unused) {
    for (;;)
        ticks ^= 1; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, tick, 0);
    pthread_exit(0);
}
