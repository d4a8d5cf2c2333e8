// verdict: violated assertion
// states: 251
// All but one access to the counter are locked, and that one comes late.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter, rounds;

static void *careful(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        int before = counter;
        counter = before + 1;
        assert(counter == before + 1); //~ error
        rounds++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *careless(void *unused) {
    pthread_mutex_lock(&mutex);
    int late = rounds == 2;
    pthread_mutex_unlock(&mutex);
    if (late)
        counter = 0;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, careful, 0);
    pthread_create(&threads[1], 0, careless, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
// optimised
