// verdict: violated assertion
// states: 60
// A wait that was signalled and then cancelled may still return.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waits, go;

void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    waits = 1;
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    int ready;
    pthread_create(&t, 0, waiter, 0);
    do {
        pthread_mutex_lock(&m);
        ready = waits;
        if (!ready)
            pthread_mutex_unlock(&m);
    } while (!ready);
    go = 1;
    pthread_cond_signal(&c);
    pthread_cancel(t);
    pthread_mutex_unlock(&m);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED); //~ error
}
// optimised
