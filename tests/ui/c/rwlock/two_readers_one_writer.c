// verdict: holds
// states: 374
// Readers that ask once get on, and the writer does.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
int x;

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&l);
    assert(x == 0 || x == 2);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, reader, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_rwlock_wrlock(&l);
    x = 1;
    x = 2;
    pthread_rwlock_unlock(&l);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
// optimised
