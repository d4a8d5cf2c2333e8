// verdict: holds
// states: 151
// A destructor that sets its key again is called PTHREAD_DESTRUCTOR_ITERATIONS times; values without
// a destructor are still there.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

pthread_key_t k, plain;
int calls;

void destroy(void *value)
{
    calls++;
    assert(value == &k && pthread_getspecific(k) == 0);
    assert(pthread_getspecific(plain) == &plain);
    pthread_setspecific(k, value);
}

void *worker(void *unused)
{
    pthread_setspecific(k, &k);
    pthread_setspecific(plain, &plain);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&k, destroy);
    pthread_key_create(&plain, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(calls == PTHREAD_DESTRUCTOR_ITERATIONS);
}
// optimised
