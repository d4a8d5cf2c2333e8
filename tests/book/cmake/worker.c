#include <pthread.h>
#include <stdbool.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int jobs;
bool closed;

void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    while (jobs == 0 && !closed)
        pthread_cond_wait(&changed, &mutex);
    if (jobs > 0)
        jobs--;
    pthread_mutex_unlock(&mutex);
    return unused;
}
