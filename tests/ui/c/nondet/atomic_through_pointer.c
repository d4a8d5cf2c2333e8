// verdict: violated assertion
// states: 53
// optimised
// An atomic function is one also if a pointer leads to it.
#include <assert.h>
#include <pthread.h>

volatile int x, y, r;

void __VERIFIER_atomic_read(void) { r = y; }
void __VERIFIER_atomic_nothing(void) {}

static void *work(void *which)
{
    void (*function)(void) = which ? __VERIFIER_atomic_read : __VERIFIER_atomic_nothing;
    x = 1;
    function();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)1);
    if (x)
        y = 1;
    pthread_join(thread, 0);
    assert(r != 1); //~ error
}
