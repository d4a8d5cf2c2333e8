// A cache under a lock for readers and writers. BUG 1: what was looked up under the read lock is taken for true
// under the write lock. BUG 2: it is filled under the read lock. BUG 3: it waits for the write lock
// with the read lock held.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 6
#endif
#ifndef LOOKUPS
#define LOOKUPS 4
#endif
#define KEYS 3

static struct {
    int valid, value, filled;
} cache[KEYS];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void fill(int key) {
    int before = cache[key].filled;
    cache[key].value = key * key;
    cache[key].valid = 1;
    cache[key].filled = before + 1;
}

static int look_up(int key) {
    pthread_rwlock_rdlock(&lock);
    int valid = cache[key].valid;
#if BUG == 2
    if (!valid)
        fill(key);
    int value = cache[key].value;
    assert(cache[key].filled == 1);
    pthread_rwlock_unlock(&lock);
    return value;
#else
#if BUG != 3
    pthread_rwlock_unlock(&lock);
#endif
    if (!valid) {
        pthread_rwlock_wrlock(&lock);
#if BUG == 1
        fill(key);
#else
        if (!cache[key].valid)
            fill(key);
#endif
        assert(cache[key].filled == 1);
        pthread_rwlock_unlock(&lock);
    }
#if BUG == 3
    pthread_rwlock_unlock(&lock);
#endif
    return key * key;
#endif
}

static void *work(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < LOOKUPS; i++)
        look_up((me + i) % KEYS);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
