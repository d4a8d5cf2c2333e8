// verdict: violated deadlock
// states: 1089
// The shutdown wakes one of the two workers; the other one sleeps on, and
// that a spurious wake-up might come does not help.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int jobs, stopping;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (jobs == 0 && !stopping)
            pthread_cond_wait(&work, &mutex); //~ error
        if (jobs == 0)
            break;
        jobs--;
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t pool[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&pool[i], 0, worker, 0);
    pthread_mutex_lock(&mutex);
    jobs++;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    stopping = 1;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(pool[i], 0); //~ error
    return 0;
}
