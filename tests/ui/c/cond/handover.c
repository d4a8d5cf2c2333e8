// verdict: holds
// states: 49
// A value is handed over under a condition, in a loop.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full, value;

static void *produce(void *unused) {
    pthread_mutex_lock(&mutex);
    value = 7;
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    pthread_mutex_lock(&mutex);
    while (!full)
        pthread_cond_wait(&filled, &mutex);
    assert(value == 7);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
