// verdict: violated assertion
// states: 5
// exeunt: --property temporal --ltl "G (y == 0)"
// optimised
// A failed assertion says nothing about a formula that it has no part in.
#include <assert.h>
#include <pthread.h>

int y;

static void *work(void *unused)
{
    assert(0); //~ error
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
