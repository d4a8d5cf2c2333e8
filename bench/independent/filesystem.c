// Threads give blocks to files; up to 13 of them never meet. After the file system in Flanagan
// and Godefroid, "Dynamic Partial-Order Reduction for Model Checking Software", 2005.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 13
#endif
#define FILES 32
#define BLOCKS 26

static pthread_mutex_t file_locks[FILES], block_locks[BLOCKS];
static int block_of[FILES], busy[BLOCKS];

static void *give(void *number) {
    int file = (int)(long)number % FILES;
    pthread_mutex_lock(&file_locks[file]);
    if (block_of[file] == 0) {
        int block = file * 2 % BLOCKS;
        while (block_of[file] == 0) {
            pthread_mutex_lock(&block_locks[block]);
            if (!busy[block]) {
                busy[block] = 1;
                block_of[file] = block + 1;
            }
            pthread_mutex_unlock(&block_locks[block]);
            block = (block + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&file_locks[file]);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < FILES; i++)
        pthread_mutex_init(&file_locks[i], 0);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_locks[i], 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, give, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < THREADS; i++)
        assert(block_of[i] > 0);
}
