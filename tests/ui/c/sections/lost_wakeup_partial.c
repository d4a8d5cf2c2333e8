// verdict: violated section
// states: 31
// exeunt: --sections cond-wait
// The signal may come before the wait, and nobody repeats it. That a spurious
// wake-up could end the wait is no excuse, and that a clock ticks on neither.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int ticks;

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex); //~ error
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    for (;;)
        ticks ^= 1;
}
