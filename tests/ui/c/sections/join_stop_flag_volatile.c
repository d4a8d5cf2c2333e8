// verdict: holds
// states: 73
// exeunt: -- -O2
// The same flag, volatile: every round reads it.
#include <pthread.h>

static volatile int stop;
static volatile int ticks;

static void *tick(void *unused) {
    while (!stop)
        ticks = !ticks;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, tick, 0);
    stop = 1;
    pthread_join(thread, 0);
    return 0;
}
