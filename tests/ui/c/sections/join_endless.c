// verdict: violated section
// states: 15
// exeunt: --all
// The joined thread never ends.
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
    pthread_join(thread, 0); //~ error
    return 0;
}
