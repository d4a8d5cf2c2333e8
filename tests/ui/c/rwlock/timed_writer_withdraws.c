// verdict: holds
// states: 74
// A writer that has given up is in nobody's way.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
struct timespec now;

void *writer(void *unused)
{
    int code = pthread_rwlock_timedwrlock(&l, &now);
    assert(code == 0 || code == ETIMEDOUT);
    if (code == 0)
        pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
}
// optimised
