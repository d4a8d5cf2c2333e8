// verdict: holds
// states: 70
// The joined thread is asked to stop, and looks.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks, stop;

static void *tick(void *unused) {
    while (!stop)
        ticks ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, tick, 0);
    stop = 1;
    pthread_join(thread, 0);
    return 0;
}
