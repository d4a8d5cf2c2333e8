// verdict: holds
// states: 194
// optimised
// A start routine, a function called by it through a pointer, and what these
// call: all is one step.
#include <assert.h>
#include <pthread.h>

volatile int x, y;

static __attribute__((noinline)) void increment(void) { x++; }

static void *__VERIFIER_atomic_start(void *unused)
{
    increment();
    increment();
    return unused;
}

static void __VERIFIER_atomic_pair(void)
{
    y++;
    increment();
    increment();
    y++;
}

static void *plain(void *unused)
{
    void (*volatile function)(void) = __VERIFIER_atomic_pair;
    function();
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, __VERIFIER_atomic_start, 0);
    pthread_create(&second, 0, plain, 0);
    assert(x % 2 == 0);
    assert(y != 1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(x == 4);
}
