// Threads that work at the end of a deep recursion.
#include <pthread.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef ROUNDS
#define ROUNDS 6
#endif
#ifndef DEPTH
#define DEPTH 2
#endif

static unsigned value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned descend(unsigned depth, unsigned me) {
    if (depth > 0) {
        return descend(depth - 1, me) + depth;
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        value = (value + me + 1) % 4;
        pthread_mutex_unlock(&lock);
    }
    return me;
}

static void *work(void *argument) {
    return (void *)(long)descend(DEPTH, (unsigned)(long)argument);
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], 0, work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
    }
    return 0;
}
