// verdict: holds
// states: 60
// Formatting into memory is no cancellation point.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

_Atomic int go;

void *worker(void *unused)
{
    while (!go) { }
    char text[8];
    snprintf(text, sizeof text, "%d", 42);
    sscanf(text, "%*d");
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
    assert(result != PTHREAD_CANCELED);
}
// optimised
