// verdict: holds
// states: 63
// exeunt: --no-spurious
// Without spurious wake-ups: which waiter a signal wakes is the scheduler's
// choice. One goes back to waiting every time; the other is not forgotten.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;

static void *again_and_again(void *unused) {
    pthread_mutex_lock(&mutex);
    for (;;)
        pthread_cond_wait(&event, &mutex);
    return unused;
}

static void *signaller(void *unused) {
    for (;;)
        pthread_cond_signal(&event);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, again_and_again, 0);
    pthread_create(&b, 0, signaller, 0);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&event, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
