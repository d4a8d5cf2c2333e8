// verdict: holds
// states: 48
// To set under the mutex is enough; the signal may come after the unlock.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool is_ready;

static void *setter(void *unused) {
    pthread_mutex_lock(&mutex);
    is_ready = true;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, setter, 0);
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
