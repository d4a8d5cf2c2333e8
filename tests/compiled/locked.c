// A critical section that copies a lot; what is shared, and what is private.
#include <assert.h>
#include <pthread.h>

static int shared[60], other[60], rounds;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    int mine[60];
    for (int r = 0; r < 2; r++) {
        for (int i = 0; i < 60; i++) mine[i] = i * (int)(long)arg;
        pthread_mutex_lock(&mutex);
        for (int i = 0; i < 60; i++) shared[i] += mine[i];
        for (int i = 0; i < 60; i++) other[i] = shared[59 - i];
        rounds++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    for (int i = 0; i < 60; i++) assert(shared[i] == 6 * i && other[i] == shared[59 - i]);
    assert(rounds == 4);
}
