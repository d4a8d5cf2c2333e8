// A flag says that the thread owns the queue; it drains it without the lock.
// verdict: holds
// options: --thread drain --env 'fill*'
// verdict: violated
// options: --thread drain --env 'fill_anyway*'
// verdict: violated
// options: --thread drain_disowned --env 'fill*'
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int owned;
_Atomic int length;

void drain(void) {
    pthread_mutex_lock(&lock);
    if (owned) {
        pthread_mutex_unlock(&lock);
        return;
    }
    owned = 1;
    pthread_mutex_unlock(&lock);
    while (length > 0)
        atomic_fetch_sub(&length, 1);
    pthread_mutex_lock(&lock);
    owned = 0;
    pthread_mutex_unlock(&lock);
}

void drain_disowned(void) {
    while (length > 0)
        atomic_fetch_sub(&length, 1);
}

void fill(void) {
    pthread_mutex_lock(&lock);
    if (!owned)
        length = 3;
    pthread_mutex_unlock(&lock);
}

void fill_anyway(void) {
    pthread_mutex_lock(&lock);
    length = 3;
    pthread_mutex_unlock(&lock);
}
