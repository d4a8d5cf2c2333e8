// Every thread has a lock of its own, and takes it again and again.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 16
#endif
#ifndef OPERATIONS
#define OPERATIONS 8
#endif

static struct {
    pthread_mutex_t lock;
    int count;
} cells[THREADS];

static void *count(void *number) {
    long me = (long)number;
    for (int i = 0; i < OPERATIONS; i++) {
        pthread_mutex_lock(&cells[me].lock);
        cells[me].count++;
        pthread_mutex_unlock(&cells[me].lock);
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&cells[i].lock, 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, count, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < THREADS; i++)
        assert(cells[i].count == OPERATIONS);
}
