// verdict: holds
// states: 59
// Behind the barrier everybody has arrived.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int arrived;

static void *work(void *unused) {
    atomic_fetch_add(&arrived, 1);
    pthread_barrier_wait(&barrier);
    assert(atomic_load(&arrived) == 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
