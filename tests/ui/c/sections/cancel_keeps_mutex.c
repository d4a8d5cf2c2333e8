// verdict: violated deadlock
// states: 13
// exeunt: --no-spurious
// A thread that is cancelled while it waits on a condition has its mutex back
// when it dies, and without a clean-up handler it takes it along.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *wait_for_ever(void *unused) {
    pthread_mutex_lock(&mutex);
    for (;;)
        pthread_cond_wait(&never, &mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait_for_ever, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex); //~ error
    pthread_mutex_unlock(&mutex);
    return 0;
}
