// Something is made once, on first use. BUG 1: it is published before it is complete. BUG 2: the second look is
// missing. BUG 3: who comes second waits for the lock that the first keeps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 7
#endif
#ifndef USES
#define USES 2
#endif

struct thing {
    atomic_int a, b;
};

static struct thing the_thing;
static _Atomic(struct thing *) published;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made, work_done;

static struct thing *get(void) {
    struct thing *thing = published;
    if (thing)
        return thing;
    pthread_mutex_lock(&lock);
#if BUG != 2
    if (!published)
#endif
    {
        made++;
#if BUG == 1
        published = &the_thing;
        the_thing.a = 1;
        the_thing.b = 2;
#else
        the_thing.a = 1;
        the_thing.b = 2;
        published = &the_thing;
#endif
#if BUG == 3
        if (made == 1 && work_done)
            return published;
#endif
    }
    pthread_mutex_unlock(&lock);
    return published;
}

static void *work(void *argument) {
    work_done |= 1 << (long)argument;
    for (int i = 0; i < USES; i++) {
        struct thing *thing = get();
        assert(thing->a + thing->b == 3);
        assert(made == 1);
    }
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
