// verdict: holds
// states: 68
// The same with a clean-up handler that unlocks.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void unlock(void *unused) {
    pthread_mutex_unlock(&mutex);
}

static void *wait_for_ever(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, 0);
    for (;;)
        pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait_for_ever, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
