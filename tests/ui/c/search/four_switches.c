// verdict: violated assertion
// states: 82
#include <assert.h>
#include <pthread.h>
static _Atomic int a, b, seen;
static void *worker(void *unused) {
    a = 1;
    b = a + 1;
    a = 0;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (a == 1 && b == 0 && seen == 0)
        if (b == 2)
            assert(a == 0); //~ error
    pthread_join(t, 0);
}
