// verdict: holds
// states: 92
// First wait for the item, then take the spinlock.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_spinlock_t lock;
static sem_t items;
static atomic_int ticks;

static void *consume(void *unused) {
    sem_wait(&items);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    return unused;
}

static void *produce(void *unused) {
    pthread_spin_lock(&lock);
    sem_post(&items);
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t c, p;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    sem_init(&items, 0, 0);
    pthread_create(&c, 0, consume, 0);
    pthread_create(&p, 0, produce, 0);
    for (;;)
        ticks ^= 1;
}
