// verdict: violated section
// states: 12
// The thread that runs an initialisation is inside pthread_once, too.
#include <pthread.h>

volatile int x;
pthread_once_t o = PTHREAD_ONCE_INIT;

void initialise(void)
{
    for (;;)
        x ^= 1;
}

void *worker(void *unused)
{
    pthread_once(&o, initialise); //~ error
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (;;) { }
}
// optimised
