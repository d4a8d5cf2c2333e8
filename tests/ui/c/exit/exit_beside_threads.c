// verdict: violated assertion
// states: 39
// Others run on while handlers do; what the handler sees of main's variable changes.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

_Atomic int *shared;

void handler(void)
{
    int before = *shared;
    assert(*shared == before); //~ error
}

void *worker(void *unused)
{
    *shared = 1;
    return 0;
}

int main(void)
{
    _Atomic int value = 0;
    pthread_t t;
    shared = &value;
    atexit(handler);
    pthread_create(&t, 0, worker, 0);
    exit(0);
}
// optimised
