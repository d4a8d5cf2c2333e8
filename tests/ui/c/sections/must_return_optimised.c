// verdict: violated section
// states: 9
// exeunt: --must-return wait_for
// optimised
// A function that must return is not inlined.
#include <pthread.h>

volatile int x;

static int wait_for(void)
{
    while (!x)
        ;
    return x;
}

static void *work(void *unused)
{
    wait_for(); //~ error
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    for (;;)
        ;
}
