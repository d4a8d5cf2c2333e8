// verdict: violated assertion
// states: 81
// optimised
// A pointer is given away by two copies of four bytes each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

char first[8], second[8];
_Atomic int ready;

void *reader(void *arg) {
    if (ready) {
        _Atomic int *data;
        memcpy(&data, first + 1, 4);
        memcpy((char *)&data + 4, second + 1, 4);
        assert(*data != 1); //~ error
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    _Atomic int *data = malloc(4);
    *data = 0;
    memcpy(first + 1, &data, 4);
    memcpy(second + 1, (char *)&data + 4, 4);
    ready = 1;
    *data = 1;
    *data = 2;
    pthread_join(thread, 0);
}
