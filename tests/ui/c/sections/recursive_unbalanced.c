// verdict: violated section
// states: 39
// exeunt: --all --sections critical
// Locked twice, unlocked once: the outermost lock is never given back.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static atomic_int ticks;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex); //~ error
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    for (;;)
        ticks ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    for (;;)
        ticks ^= 1;
}
