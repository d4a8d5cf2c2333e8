// verdict: holds
// states: 22
// A semaphore orders two threads.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int value;

static void *produce(void *unused) {
    value = 9;
    sem_post(&ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, 0, produce, 0);
    sem_wait(&ready);
    assert(value == 9);
    pthread_join(thread, 0);
    sem_destroy(&ready);
    return 0;
}
