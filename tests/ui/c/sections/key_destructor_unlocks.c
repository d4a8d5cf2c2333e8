// verdict: holds
// states: 21
// The thread returns with the mutex, and the destructor of its key gives it
// back.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;

static void unlock(void *held) {
    pthread_mutex_unlock(held);
}

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_setspecific(key, &mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, unlock);
    pthread_create(&thread, 0, work, 0);
    for (;;) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}
