// verdict: holds
// states: 29
// An error-checking mutex refuses its owner instead of blocking it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        assert(pthread_mutex_lock(&mutex) == EDEADLK);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
}
