// verdict: violated deadlock
// states: 1036
// The shutdown flag is set and broadcast without the mutex, so a worker that
// has just looked for work goes to sleep after the last call.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int jobs;
static atomic_int stopping;

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
    stopping = 1;
    pthread_cond_broadcast(&work);
    for (int i = 0; i < 2; i++)
        pthread_join(pool[i], 0); //~ error
    return 0;
}
