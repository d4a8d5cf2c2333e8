/* Semaphores in the wrong order. A consumer takes an item under a lock; both are semaphores. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t items, lock;
static int n;
static void *put(void *arg) {
    sem_wait(&lock);
    n++;
    sem_post(&lock);
    sem_post(&items);
    return arg;
}
static void *take(void *arg) {
    sem_wait(&items);
    sem_wait(&lock);
    n--;
    sem_post(&lock);
    return arg;
}
int main(void) {
    pthread_t t, u;
    sem_init(&items, 0, 0);
    sem_init(&lock, 0, 1);
    pthread_create(&t, 0, put, 0);
    pthread_create(&u, 0, take, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
