// verdict: holds
// states: 20
// The end of main ends a thread that would run for ever.
#include <pthread.h>

static volatile int x;

static void *spin(void *unused) {
    for (;;)
        x = 1 - x;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, spin, 0);
    return 0;
}
