// verdict: violated assertion
// states: 46
// A spurious wake-up goes past an `if`.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full;

static void *produce(void *unused) {
    pthread_mutex_lock(&mutex);
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    pthread_mutex_lock(&mutex);
    if (!full)
        pthread_cond_wait(&filled, &mutex);
    assert(full); //~ error
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
