// verdict: holds
// states: 255
// First the semaphore, then the mutex.
#include <pthread.h>
#include <semaphore.h>

static sem_t items, room;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *produce(void *unused) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&room);
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
        sem_post(&items);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&items, 0, 0);
    sem_init(&room, 0, 1);
    pthread_create(&thread, 0, produce, 0);
    for (int i = 0; i < 2; i++) {
        sem_wait(&items);
        pthread_mutex_lock(&mutex);
        count--;
        pthread_mutex_unlock(&mutex);
        sem_post(&room);
    }
    pthread_join(thread, 0);
    return 0;
}
