// verdict: holds
// states: 73
// What was signalled is also remembered, and asked for before waiting.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool is_ready;
static atomic_int ticks;

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&mutex);
    is_ready = true;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    for (;;)
        ticks ^= 1;
}
