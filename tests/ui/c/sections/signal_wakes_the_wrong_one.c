// verdict: violated deadlock
// states: 991
// exeunt: --no-spurious
// Producers and consumers share one condition, and only one of them is woken:
// it may be one that cannot go on.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool full;

static void *produce(void *unused) {
    pthread_mutex_lock(&mutex);
    while (full)
        pthread_cond_wait(&changed, &mutex); //~ error
    full = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *consume(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!full)
        pthread_cond_wait(&changed, &mutex); //~ error
    full = false;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t producers[2], consumer;
    pthread_create(&producers[0], 0, produce, 0);
    pthread_create(&producers[1], 0, produce, 0);
    pthread_create(&consumer, 0, consume, 0);
    consume(0);
    pthread_join(consumer, 0); //~ error
    pthread_join(producers[0], 0); //~ error
    pthread_join(producers[1], 0); //~ error
    return 0;
}
