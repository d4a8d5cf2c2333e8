// verdict: violated deadlock
// states: 42
// The flag is set and signalled without the mutex: that can fall between the
// test and the wait.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_bool is_ready;

static void *setter(void *unused) {
    is_ready = true;
    pthread_cond_signal(&ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, setter, 0);
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_wait(&ready, &mutex); //~ error
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
