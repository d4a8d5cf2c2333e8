// Threads that change some cells of a table, which may be large: 8 cells are touched, whatever
// its size is.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 5
#endif
#ifndef CELLS
#define CELLS 8
#endif

static unsigned table[CELLS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    unsigned me = (unsigned)(long)argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        unsigned cell = (me + 3 * round) % 8 * (CELLS / 8);
        unsigned next = (cell + CELLS / 8) % CELLS;
        table[cell] = (table[next] + me + 1) % 4;
        pthread_mutex_unlock(&lock);
    }
    return 0;
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
