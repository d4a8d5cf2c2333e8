// Every thread counts in a cell of its own, all in one array.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 16
#endif
#ifndef OPERATIONS
#define OPERATIONS 8
#endif

static int cells[THREADS];

static void *count(void *cell) {
    for (int i = 0; i < OPERATIONS; i++)
        ++*(int *)cell;
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, count, &cells[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < THREADS; i++)
        assert(cells[i] == OPERATIONS);
}
