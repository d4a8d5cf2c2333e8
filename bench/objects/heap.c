// The same with a table on the heap that is partly undefined, and written in blocks.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef ROUNDS
#define ROUNDS 5
#endif
#ifndef CELLS
#define CELLS 8
#endif

static unsigned *table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    unsigned me = (unsigned)(long)argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        unsigned pair[2] = {me, round};
        memcpy(table + (me + 2 * round) % 4 * (CELLS / 4), pair, sizeof pair);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    table = malloc(CELLS * sizeof *table);
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], 0, work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
    }
    free(table);
    return 0;
}
