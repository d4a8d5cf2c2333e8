// verdict: violated assertion
// states: 38
// ftrylockfile says that somebody else has the stream.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

void *worker(void *unused)
{
    flockfile(stderr);
    funlockfile(stderr);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int code = ftrylockfile(stderr);
    assert(code == 0); //~ error
    funlockfile(stderr);
    pthread_join(t, 0);
}
// optimised
