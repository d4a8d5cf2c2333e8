// verdict: violated assertion
// states: 76
// optimised
// A pointer is copied into a byte buffer at an odd offset.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

char ring[16];
_Atomic int ready;

void *reader(void *arg) {
    if (ready) {
        _Atomic int *data;
        memcpy(&data, ring + 1, sizeof data);
        assert(*data != 1); //~ error
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    _Atomic int *data = malloc(4);
    *data = 0;
    memcpy(ring + 1, &data, sizeof data);
    ready = 1;
    *data = 1;
    *data = 2;
    pthread_join(thread, 0);
}
