// verdict: holds
// states: 35
// exeunt: --sections mutex-wait,join
// Each wait with a time-out ends, by the lock or by the time, even though the
// owner never unlocks.
#include <errno.h>
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

int main(void) {
    pthread_t thread;
    struct timespec soon = {0};
    pthread_create(&thread, 0, hold, 0);
    for (;;)
        if (pthread_mutex_timedlock(&mutex, &soon) != ETIMEDOUT)
            pthread_mutex_unlock(&mutex);
}
