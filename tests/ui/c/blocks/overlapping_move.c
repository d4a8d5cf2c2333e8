// verdict: violated assertion
// states: 64
// memmove within shared memory is not one step either.
#include <assert.h>
#include <pthread.h>
#include <string.h>

long shared[4] = {1, 2, 3, 4};

void *mover(void *arg) {
    memmove(shared, shared + 1, 3 * sizeof(long));
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, mover, 0);
    volatile long *seen = shared;
    long a = seen[0], b = seen[1];
    assert(a != b); //~ error
    pthread_join(thread, 0);
    assert(shared[0] == 2 && shared[1] == 3 && shared[2] == 4 && shared[3] == 4);
}
// optimised
