// verdict: holds
// states: 65
// A recursive mutex may be locked again by its owner.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static atomic_int ticks;

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
        ticks ^= 1;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
}
