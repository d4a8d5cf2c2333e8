// verdict: violated section
// states: 143
// The same while main goes on: two threads are stuck.
#define _GNU_SOURCE
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
volatile int x;

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&l); //~ error
    pthread_rwlock_unlock(&l);
    return 0;
}

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&l); //~ error
    pthread_rwlock_rdlock(&l); //~ error
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    for (;;)
        x ^= 1;
}
// optimised
