// verdict: holds
// states: 449
// exeunt: --copy-order ascending
// A sequence lock: readers copy while the writer writes, and notice. The
// user vouches for the order of copying.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long a, b;
} shared;
_Atomic int sequence;

void *writer(void *arg) {
    struct pair ones = {1, 1};
    sequence++;
    shared = ones;
    sequence++;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int before = sequence;
    struct pair copy = shared;
    if (before % 2 == 0 && sequence == before)
        assert(copy.a == copy.b);
    pthread_join(thread, 0);
}
// optimised
