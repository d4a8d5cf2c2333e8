// verdict: violated assertion
// states: 28
// As once_is_run_again.c, in C11; the first initialisation may have been cancelled.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

sem_t s;
once_flag o = ONCE_FLAG_INIT;
int runs;

void initialise(void)
{
    runs++;
    sem_wait(&s);
}

void *worker(void *unused)
{
    call_once(&o, initialise);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    sem_post(&s);
    call_once(&o, initialise);
    assert(runs == 1); //~ error
}
// optimised
