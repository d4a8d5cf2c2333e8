// verdict: holds
// states: 149
// Two threads copy what nobody writes any more.
#include <assert.h>
#include <pthread.h>

struct quad {
    long a, b, c, d;
} shared = {1, 1, 1, 1};

void *reader(void *arg) {
    struct quad copy = shared;
    assert(copy.a == copy.d);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    reader(0);
    pthread_join(thread, 0);
}
// optimised
