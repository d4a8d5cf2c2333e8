// verdict: violated section
// states: 25
// exeunt: --all --sections critical
// Both places lock, but what is locked at the first is given back before the
// loop: only the second is to blame.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ticks;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    ticks ^= 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); //~ error
    for (;;)
        ticks ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
