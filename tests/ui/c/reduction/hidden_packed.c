// verdict: violated assertion
// states: 89
// optimised
// The only pointer to a heap object is copied to an odd offset of shared
// memory: from then on the object is shared.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct __attribute__((packed)) message {
    char tag;
    _Atomic int *data;
} slot;
_Atomic int ready;

void *reader(void *arg) {
    if (ready) {
        struct message m = slot;
        assert(*m.data != 1); //~ error
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    struct message m = {1, malloc(4)};
    *m.data = 0;
    slot = m;
    ready = 1;
    *m.data = 1;
    *m.data = 2;
    pthread_join(thread, 0);
}
