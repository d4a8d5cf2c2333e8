// verdict: violated section
// states: 43
// exeunt: --must-return insist --sections function
// A function that tries with a time-out until it has the mutex: each wait
// ends, the function does not.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ticks;

static void *hold(void *unused) {
    pthread_mutex_lock(&mutex);
    for (;;)
        ticks ^= 1;
    return unused;
}

__attribute__((noinline)) static void insist(void) {
    struct timespec soon = {0};
    while (pthread_mutex_timedlock(&mutex, &soon) != 0) {
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, hold, 0);
    insist(); //~ error
    return 0;
}
