// Threads insert words into one hash table with a lock for each slot; up to 11 of them
// never meet. After the indexer in Flanagan and Godefroid, "Dynamic Partial-Order Reduction
// for Model Checking Software", 2005.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 11
#endif
#define SLOTS 128
#define WORDS 4

static pthread_mutex_t locks[SLOTS];
static int table[SLOTS];

static int slot_of(int word) { return word * 7 % SLOTS; }

static void *insert(void *number) {
    int me = (int)(long)number;
    for (int i = 1; i <= WORDS; i++) {
        int word = i * 11 + me;
        int slot = slot_of(word);
        int done = 0;
        while (!done) {
            pthread_mutex_lock(&locks[slot]);
            if (table[slot] == 0) {
                table[slot] = word;
                done = 1;
            }
            pthread_mutex_unlock(&locks[slot]);
            slot = (slot + 1) % SLOTS;
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&locks[i], 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, insert, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    int words = 0;
    for (int i = 0; i < SLOTS; i++)
        words += table[i] != 0;
    assert(words == THREADS * WORDS);
}
