// verdict: violated assertion
// states: 18
// The order of destructors is not specified.
#include <assert.h>
#include <pthread.h>

pthread_key_t a, b;
int done;

void destroy_a(void *value) { assert(done); } //~ error
void destroy_b(void *value) { done = 1; }

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
