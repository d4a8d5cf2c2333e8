// verdict: holds
// states: 5643
// Whoever waits for an initialisation that is left by pthread_exit runs it, and clean-up handlers
// around pthread_once come after that.
#include <assert.h>
#include <pthread.h>

pthread_once_t o = PTHREAD_ONCE_INIT;
_Atomic int runs, cleaned;

void initialise(void)
{
    if (runs++ == 0)
        pthread_exit(0);
}

void clean(void *unused) { cleaned++; }

void *worker(void *unused)
{
    pthread_cleanup_push(clean, 0);
    pthread_once(&o, initialise);
    pthread_cleanup_pop(0);
    return &runs;
}

int main(void)
{
    pthread_t t[2];
    void *result[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], &result[i]);
    assert(runs == 2 && cleaned == 1);
    assert(!result[0] != !result[1]);
}
// optimised
