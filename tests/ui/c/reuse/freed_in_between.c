// verdict: violated assertion
// states: 61
// Another thread frees between a write and an allocation that follows it: the
// allocation is a scheduling point.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *p;
_Atomic int begin, freed;

void *other(void *arg) {
    if (begin) {
        free(p);
        freed = 1;
    }
    return arg;
}

int main(void) {
    p = malloc(4);
    int *old = p;
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    begin = 1;
    int *q = malloc(4);
    int same = q == old;
    pthread_join(thread, 0);
    if (freed)
        assert(!same); //~ error
    free(q);
}
