// verdict: holds
// states: 28
// Whoever prints for ever is cancelled some time.
#include <pthread.h>
#include <stdio.h>

void *worker(void *unused)
{
    for (;;)
        putchar('x');
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
}
// optimised
