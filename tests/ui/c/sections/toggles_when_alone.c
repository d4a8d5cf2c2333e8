// verdict: violated section
// states: 47
// When all others have ended, nobody sees what a loop changes: it waits for nothing. Threads that
// have ended and are not joined yet see nothing either.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static volatile int flag;

static void *worker(void *unused) {
    (void)unused;
    done = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    while (done == 1) flag ^= 1; //~ error
    pthread_join(thread, 0);
}
