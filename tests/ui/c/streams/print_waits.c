// verdict: violated deadlock
// states: 32
// Printing waits for the stream, with a mutex that the holder of the stream wants.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    fprintf(stdout, "%d\n", 1); //~ error
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    flockfile(stdout);
    pthread_mutex_lock(&m); //~ error
    pthread_mutex_unlock(&m);
    funlockfile(stdout);
    pthread_join(t, 0); //~ error
}
// optimised
