// verdict: violated section
// states: 26
// exeunt: --all --no-spurious
// The waiter is signalled, but the signaller never gives the mutex back that
// the waiter needs to return.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;
static atomic_int ticks;

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex); //~ error
    while (!is_ready)
        pthread_cond_wait(&ready, &mutex); //~ error
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&mutex); //~ error
    is_ready = 1;
    pthread_cond_signal(&ready);
    for (;;)
        ticks ^= 1;
}
