// verdict: violated section
// states: 11
// A loop over memory that nobody else touches in this state is one superstep,
// and an endless one must come to an end all the same.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never, ticks;

static void *spin(void *unused) {
    while (never == 0) { //~ error
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, spin, 0);
    ticks++;
    pthread_join(thread, 0);
    return 0;
}
