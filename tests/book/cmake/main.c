#include <pthread.h>
#include <stdbool.h>

extern pthread_mutex_t mutex;
extern pthread_cond_t changed;
extern int jobs;
extern bool closed;
extern void *worker(void *unused);

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    jobs++;
    pthread_cond_broadcast(&changed);
    closed = true;
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
