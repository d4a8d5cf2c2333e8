// verdict: violated section
// states: 28
// exeunt: -- -O2
// A plain flag is read once and kept in a register by the optimiser; the
// thread that runs by then never sees the request to stop.
#include <pthread.h>
#include <stdatomic.h>

static int stop;
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
    pthread_join(thread, 0); //~ error
    return 0;
}
