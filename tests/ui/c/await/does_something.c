// verdict: holds
// states: 19
// A loop that leaves a trace in every round is no wait, even if it never ends.
#include <pthread.h>

static volatile int stop, work;

static void *run(void *unused) {
    while (!stop)
        work ^= 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    for (;;) {
    }
}
