// verdict: violated assertion
// states: 27
// As order.c, the other way round: neither order is the only one.
#include <assert.h>
#include <pthread.h>

pthread_key_t a, b;
int done;

void destroy_a(void *value) { done = 1; }
void destroy_b(void *value) { assert(done); } //~ error

void *worker(void *unused)
{
    pthread_setspecific(a, &done);
    pthread_setspecific(b, &done);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&a, destroy_a);
    pthread_key_create(&b, destroy_b);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
// optimised
