// verdict: violated assertion
// states: 61
// optimised
// A jump out of an atomic function ends it: what follows can be interrupted.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

volatile int x;
static jmp_buf back;

static void __VERIFIER_atomic_jump(void) { longjmp(back, 1); }

static void *work(void *unused)
{
    if (!setjmp(back))
        __VERIFIER_atomic_jump();
    x = 1;
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert(x != 1); //~ error
    pthread_join(thread, 0);
}
