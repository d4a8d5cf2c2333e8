// verdict: violated section
// states: 55
// The stream stays locked, so nobody else prints.
#include <pthread.h>
#include <stdio.h>

volatile int x;

void *worker(void *unused)
{
    flockfile(stdout); //~ error
    return 0;
}

void *printer(void *unused)
{
    puts("x"); //~ error
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, printer, 0);
    for (;;)
        x ^= 1;
}
// optimised
