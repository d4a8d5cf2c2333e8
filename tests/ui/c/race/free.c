// verdict: violated race
// states: 49
// exeunt: --races
// A block is freed while nothing orders it behind its last use.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int done;
    int data;
};

static void *work(void *argument) {
    struct object *object = argument;
    object->data = 1; //~ error
    atomic_store_explicit(&object->done, 1, memory_order_relaxed); //~ error
    return 0;
}

int main(void) {
    pthread_t thread;
    struct object *object = calloc(1, sizeof *object);
    pthread_create(&thread, 0, work, object);
    if (atomic_load_explicit(&object->done, memory_order_relaxed)) {
        free(object); //~ error
        object = 0;
    }
    pthread_join(thread, 0);
    free(object);
    return 0;
}
// optimised
