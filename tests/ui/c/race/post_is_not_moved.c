// verdict: violated race
// states: 39
// exeunt: --races
// The wait does not need the post: the semaphore has room from the beginning. If the post were taken for part of the step
// before it, it would come before the wait and order the two writes.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t room;
static atomic_int ready;
static int x;

static void *writer(void *unused) {
    x = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    sem_post(&room);
    return unused;
}

int main(void) {
    pthread_t t;
    sem_init(&room, 0, 1);
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        sem_wait(&room);
        x = 2; //~ error
    }
    pthread_join(t, 0);
    return 0;
}
