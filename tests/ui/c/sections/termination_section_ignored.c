// verdict: holds
// states: 70
// exeunt: --property termination
// A detached thread keeps a mutex for ever, but the program can always end,
// and only that is asked.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ticks;

static void *keep(void *unused) {
    pthread_mutex_lock(&m);
    for (;;)
        ticks ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, keep, 0);
    pthread_detach(thread);
    while (ticks == 0) {
    }
    return 0;
}
