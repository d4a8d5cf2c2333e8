// verdict: holds
// states: 43
// A cancelled initialisation counts as not run: main runs it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;
pthread_once_t o = PTHREAD_ONCE_INIT;
int runs;

void initialise(void)
{
    runs++;
    sem_wait(&s);
}

void *worker(void *unused)
{
    pthread_once(&o, initialise);
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
    pthread_once(&o, initialise);
    assert(runs == 1 || runs == 2);
}
// optimised
