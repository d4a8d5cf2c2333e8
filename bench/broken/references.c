// An object that is freed by whoever drops the last reference. BUG 1: the count is no atomic operation.
// BUG 2: it is read again after it was decremented. BUG 3: a reference is taken too late.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 6
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

struct object {
    atomic_int references;
    int value;
};

static struct object *shared;

static void drop(struct object *object) {
#if BUG == 1
    int left = object->references - 1;
    object->references = left;
    if (left == 0)
        free(object);
#elif BUG == 2
    atomic_fetch_sub(&object->references, 1);
    if (object->references == 0)
        free(object);
#else
    if (atomic_fetch_sub(&object->references, 1) == 1)
        free(object);
#endif
}

static void *work(void *argument) {
    struct object *object = argument;
#if BUG == 3
    object = shared;
    atomic_fetch_add(&object->references, 1);
#endif
    for (int i = 0; i < ROUNDS; i++) {
        atomic_fetch_add(&object->references, 1);
        assert(object->value == 42);
        drop(object);
    }
    drop(object);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    shared = malloc(sizeof *shared);
    shared->references = 1;
    shared->value = 42;
    for (int i = 0; i < THREADS; i++) {
#if BUG != 3
        atomic_fetch_add(&shared->references, 1);
#endif
        pthread_create(&threads[i], 0, work, shared);
    }
    drop(shared);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
