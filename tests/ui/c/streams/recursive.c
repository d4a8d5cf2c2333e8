// verdict: holds
// states: 270
// The lock of a stream is recursive, and printing inside works.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int inside;

void *worker(void *unused)
{
    flockfile(stdout);
    flockfile(stdout);
    inside++;
    puts("x");
    printf("%d\n", inside);
    assert(inside == 1);
    inside--;
    funlockfile(stdout);
    assert(ftrylockfile(stdout) == 0);
    funlockfile(stdout);
    funlockfile(stdout);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
// optimised
