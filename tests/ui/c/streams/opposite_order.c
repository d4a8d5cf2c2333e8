// verdict: violated deadlock
// states: 48
// Two streams are locked in opposite orders.
#include <pthread.h>
#include <stdio.h>

void *worker(void *unused)
{
    flockfile(stderr);
    flockfile(stdout); //~ error
    funlockfile(stdout);
    funlockfile(stderr);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    flockfile(stdout);
    flockfile(stderr); //~ error
    funlockfile(stderr);
    funlockfile(stdout);
    pthread_join(t, 0); //~ error
}
// optimised
