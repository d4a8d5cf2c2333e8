// verdict: violated assertion
// states: 32
// … but it may.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

_Atomic int go;

void *worker(void *unused)
{
    while (!go) { }
    puts("x");
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    go = 1;
    pthread_join(t, &result);
    assert(result != PTHREAD_CANCELED); //~ error
}
// optimised
