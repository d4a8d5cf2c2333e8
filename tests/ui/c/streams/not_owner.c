// verdict: violated misuse
// states: 9
#include <pthread.h>
#include <stdio.h>

void *worker(void *unused)
{
    funlockfile(stdout); //~ error
    return 0;
}

int main(void)
{
    pthread_t t;
    flockfile(stdout);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    funlockfile(stdout);
}
// optimised
