// verdict: holds
// states: 35
// optimised
// An optimiser that inlines an atomic function would take its meaning away.
#include <assert.h>
#include <pthread.h>

volatile int x;

static void __VERIFIER_atomic_twice(void) { x++; x++; }
static inline __attribute__((always_inline)) void __VERIFIER_atomic_always(void) { x++; x++; }

static void *work(void *unused)
{
    __VERIFIER_atomic_twice();
    __VERIFIER_atomic_always();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert(x % 2 == 0);
    pthread_join(thread, 0);
}
