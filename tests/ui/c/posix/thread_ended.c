// verdict: holds
// states: 49
// The handle of a thread that has ended is good until it is joined.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

_Atomic int x;

void *worker(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (!x) { }
    assert(pthread_kill(t, 0) == 0);
    assert(pthread_cancel(t) == 0);
    assert(pthread_join(t, 0) == 0);
}
// optimised
