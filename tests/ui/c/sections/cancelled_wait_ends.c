// verdict: holds
// states: 16
// Nobody posts, but the waiting thread is cancelled: that ends its wait.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t never;
static atomic_int ticks;

static void *stay(void *unused) {
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, 0, stay, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    for (;;)
        ticks ^= 1;
}
