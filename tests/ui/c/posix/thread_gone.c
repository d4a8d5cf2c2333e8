// verdict: violated misuse
// states: 9
// … and not after that.
#include <pthread.h>
#include <signal.h>

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_kill(t, 0); //~ error
}
// optimised
