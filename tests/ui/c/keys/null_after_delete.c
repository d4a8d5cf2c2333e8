// verdict: holds
// states: 39
// A new key has no value in any thread, even if it has the number of one that was deleted.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_key_t a, b;
sem_t set, created;

void destroy(void *value) { assert(0); }

void *worker(void *unused)
{
    pthread_setspecific(a, &a);
    sem_post(&set);
    sem_wait(&created);
    assert(pthread_getspecific(b) == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&set, 0, 0);
    sem_init(&created, 0, 0);
    pthread_key_create(&a, 0);
    pthread_setspecific(a, &a);
    pthread_create(&t, 0, worker, 0);
    sem_wait(&set);
    assert(pthread_key_delete(a) == 0);
    pthread_key_create(&b, destroy);
    assert(pthread_getspecific(b) == 0);
    sem_post(&created);
    pthread_join(t, 0);
}
// optimised
