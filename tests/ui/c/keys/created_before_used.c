// verdict: violated assertion
// states: 24
// As used_before_created.c, in the other order.
#include <assert.h>
#include <pthread.h>

pthread_key_t k;
int x;

void *worker(void *unused)
{
    assert(pthread_setspecific(0, &x) == 0); //~ error
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_key_create(&k, 0);
    pthread_join(t, 0);
}
// optimised
