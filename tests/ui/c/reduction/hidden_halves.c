// verdict: violated assertion
// states: 91
// optimised
// A pointer is given away as two numbers of 32 bits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

union halves {
    uint32_t half[2];
    _Atomic int *data;
};
uint32_t low, between, high;
_Atomic int ready;

void *reader(void *arg) {
    if (ready) {
        union halves u;
        u.half[0] = low;
        u.half[1] = high;
        assert(*u.data != 1); //~ error
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    union halves u;
    u.data = malloc(4);
    *u.data = 0;
    low = u.half[0];
    high = u.half[1];
    ready = 1;
    *u.data = 1;
    *u.data = 2;
    pthread_join(thread, 0);
}
