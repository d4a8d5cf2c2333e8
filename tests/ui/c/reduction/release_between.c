// verdict: violated assertion
// states: 86
// Whoever waits for the mutex may get it between its release and what the
// thread does next, although nobody else could tell that the release is late.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static volatile int behind;

static void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    turn = 1;
    pthread_mutex_unlock(&mutex);
    behind = 1;
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&mutex);
    int was = turn;
    pthread_mutex_unlock(&mutex);
    assert(!was || behind); //~ error
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
// optimised
