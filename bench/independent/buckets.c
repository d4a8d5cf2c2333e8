// Threads insert into the buckets of one table: a lock and a list each. No two threads have a
// bucket in common.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 16
#endif
#ifndef OPERATIONS
#define OPERATIONS 4
#endif

struct entry {
    struct entry *next;
    int key;
};

static struct {
    pthread_mutex_t lock;
    struct entry *first;
} buckets[THREADS];

static void insert(int key) {
    struct entry *entry = malloc(sizeof *entry);
    int at = key % THREADS;
    entry->key = key;
    pthread_mutex_lock(&buckets[at].lock);
    entry->next = buckets[at].first;
    buckets[at].first = entry;
    pthread_mutex_unlock(&buckets[at].lock);
}

static void *work(void *number) {
    for (int i = 0; i < OPERATIONS; i++)
        insert((int)(long)number + i * THREADS);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&buckets[i].lock, 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    int found = 0;
    for (int i = 0; i < THREADS; i++)
        for (struct entry *entry = buckets[i].first; entry; entry = entry->next)
            found++;
    assert(found == THREADS * OPERATIONS);
}
