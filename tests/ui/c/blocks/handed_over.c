// verdict: holds
// states: 56
// No common lock, but a semaphore keeps the two copies apart: nobody comes in
// between, so the order of copying does not matter.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

struct quad {
    long a, b, c, d;
} shared;
sem_t filled;

void *writer(void *arg) {
    struct quad ones = {1, 1, 1, 1};
    shared = ones;
    sem_post(&filled);
    return arg;
}

int main(void) {
    sem_init(&filled, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    sem_wait(&filled);
    struct quad copy = shared;
    assert(copy.a == copy.d);
    pthread_join(thread, 0);
}
// optimised
