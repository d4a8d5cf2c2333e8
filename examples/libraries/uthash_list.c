// The lists of uthash (package uthash-dev) under a mutex.
// BUG: one thread appends without it.
#include <assert.h>
#include <pthread.h>
#include <utlist.h>

struct item { struct item *next; };
static struct item *list, items[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *item) {
    pthread_mutex_lock(&lock);
    LL_APPEND(list, (struct item *)item);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    int count;
    struct item *at;
    pthread_create(&t, 0, append, &items[0]);
#ifdef BUG
    LL_APPEND(list, &items[1]);
#else
    append(&items[1]);
#endif
    pthread_join(t, 0);
    LL_COUNT(list, at, count);
    assert(count == 2);
}
