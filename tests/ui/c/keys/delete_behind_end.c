// verdict: violated assertion
// states: 58
// … or after that.
#include <assert.h>
#include <pthread.h>

pthread_key_t k;
_Atomic int set;
int destroyed;

void destroy(void *value) { destroyed = 1; }

void *worker(void *unused)
{
    pthread_setspecific(k, &destroyed);
    set = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&k, destroy);
    pthread_create(&t, 0, worker, 0);
    while (!set) { }
    pthread_key_delete(k);
    pthread_join(t, 0);
    assert(!destroyed); //~ error
}
// optimised
