// verdict: violated assertion
// states: 89
// As struct_assignment, behind a pointer.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    long a, b;
};

void *writer(void *arg) {
    struct pair ones = {1, 1};
    *(struct pair *)arg = ones;
    return 0;
}

int main(void) {
    struct pair *shared = calloc(1, sizeof *shared);
    pthread_t thread;
    pthread_create(&thread, 0, writer, shared);
    struct pair copy = *shared;
    assert(copy.a == copy.b); //~ error
    pthread_join(thread, 0);
    free(shared);
}
// optimised
