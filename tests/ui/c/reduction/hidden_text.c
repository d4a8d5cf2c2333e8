// verdict: violated assertion
// states: 59
// optimised
// A pointer is printed and read back from the text.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

char text[32];
_Atomic int ready;

void *reader(void *arg) {
    if (ready) {
        void *data;
        sscanf(text, "%p", &data);
        assert(*(_Atomic int *)data != 1); //~ error
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    _Atomic int *data = malloc(4);
    *data = 0;
    snprintf(text, sizeof text, "%p", (void *)data);
    ready = 1;
    *data = 1;
    *data = 2;
    pthread_join(thread, 0);
}
