// verdict: violated section
// states: 93
// exeunt: --all
// The consumer waits for an item with the spinlock in hand, and the producer
// needs the spinlock to bring one.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_spinlock_t lock;
static sem_t items;
static atomic_int ticks;

static void *consume(void *unused) {
    pthread_spin_lock(&lock); //~ error
    sem_wait(&items); //~ error
    pthread_spin_unlock(&lock);
    return unused;
}

static void *produce(void *unused) {
    pthread_spin_lock(&lock); //~ error
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
