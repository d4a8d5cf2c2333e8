#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int jobs;
static bool closed;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    while (jobs == 0)
        pthread_cond_wait(&changed, &mutex);
    jobs--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    jobs++;
    pthread_cond_signal(&changed);
    closed = true;
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
