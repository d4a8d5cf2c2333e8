// verdict: holds
// states: 59
// Each round has a mutex of its own, at the same place or another.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_t *mutex = malloc(sizeof *mutex);
        pthread_mutex_init(mutex, 0);
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
        pthread_mutex_destroy(mutex);
        free(mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
}
