// verdict: holds
// states: 140
// exeunt: --races
// The last one frees, and knows what the others did.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int count;
    int data[2];
};

static void release(struct object *object) {
    if (atomic_fetch_sub_explicit(&object->count, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        free(object);
    }
}

static void *work(void *argument) {
    struct object *object = argument;
    object->data[0] = 1;
    release(object);
    return 0;
}

int main(void) {
    pthread_t thread;
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->count, 2);
    pthread_create(&thread, 0, work, object);
    object->data[1] = 1;
    release(object);
    pthread_join(thread, 0);
    return 0;
}
// optimised
