// verdict: violated deadlock
// states: 21
// fputs is a cancellation point: nobody unlocks.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    fputs("x", stderr);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    pthread_mutex_lock(&m); //~ error
    return 0;
}
// optimised
