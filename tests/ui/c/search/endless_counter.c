// verdict: violated assertion
// states: 99
// One thread counts without end, which a search in depth follows; what another one
// asserts fails after a few steps.
#include <assert.h>
#include <pthread.h>

static volatile unsigned n;

static void *count(void *unused) {
    for (;;)
        n++;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    assert(n < 3); //~ error
    pthread_join(t, 0);
    return 0;
}
