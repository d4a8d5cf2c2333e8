// verdict: violated assertion
// states: 19
// A thread that begins with a post: the one that waits may come before what
// follows it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t posted;
static volatile int behind;

static void *poster(void *unused) {
    sem_post(&posted);
    behind = 1;
    return unused;
}

static void *waiter(void *unused) {
    sem_wait(&posted);
    assert(behind); //~ error
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&posted, 0, 0);
    pthread_create(&threads[0], 0, waiter, 0);
    pthread_create(&threads[1], 0, poster, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
// optimised
