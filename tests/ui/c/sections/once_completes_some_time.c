// verdict: holds
// states: 91
// As long as it takes, and for ever again with new ones.
#include <pthread.h>

volatile int x;
pthread_once_t o;

void initialise(void)
{
    while (x == 0) { }
}

void *worker(void *unused)
{
    for (;;) {
        pthread_once(&o, initialise);
        o = PTHREAD_ONCE_INIT;
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (;;)
        x ^= 1;
}
// optimised
