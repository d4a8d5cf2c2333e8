// verdict: violated assertion
// states: 107
// A struct is assigned as a whole by one thread and copied by another, which
// may see half of it.
#include <assert.h>
#include <pthread.h>

struct quad {
    long a, b, c, d;
} shared;

void *writer(void *arg) {
    struct quad ones = {1, 1, 1, 1};
    shared = ones;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    struct quad copy = shared;
    assert(copy.a == copy.d); //~ error
    pthread_join(thread, 0);
}
// optimised
