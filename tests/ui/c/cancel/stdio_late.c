// verdict: violated deadlock
// states: 44
// The cancellation comes when the thread has told that it is inside, just before it prints.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic int inside;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    inside = 1;
    printf("%d\n", 42);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (!inside) { }
    pthread_cancel(t);
    pthread_join(t, 0);
    pthread_mutex_lock(&m); //~ error
    return 0;
}
// optimised
