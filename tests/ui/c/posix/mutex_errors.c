// verdict: holds
// states: 411
// native
// What mutexes return instead of doing something undefined.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

pthread_mutex_t m[4];
struct timespec now, bad = {0, 1000000000}, negative = {0, -1};

void *other(void *unused)
{
    for (int kind = 0; kind < 4; kind++) {
        printf("other %d %d", kind, pthread_mutex_trylock(&m[kind]) == EBUSY);
        printf(" %d", pthread_mutex_timedlock(&m[kind], &now) == ETIMEDOUT);
        printf(" %d", pthread_mutex_timedlock(&m[kind], &bad) == EINVAL);
        printf(" %d", pthread_mutex_clocklock(&m[kind], CLOCK_MONOTONIC, &negative) == EINVAL);
        printf(" %d\n", pthread_mutex_clocklock(&m[kind], 77, &now) == EINVAL);
    }
    printf("%d %d\n", pthread_mutex_unlock(&m[1]) == EPERM, pthread_mutex_unlock(&m[2]) == EPERM);
    return 0;
}

int main(void)
{
    pthread_t t;
    for (int kind = 0; kind < 4; kind++) {
        pthread_mutexattr_t a;
        int found = -1;
        pthread_mutexattr_init(&a);
        pthread_mutexattr_settype(&a, kind);
        pthread_mutexattr_gettype(&a, &found);
        pthread_mutex_init(&m[kind], &a);
        printf("%d %d\n", kind, found);
    }
    printf("%d %d\n", pthread_mutex_unlock(&m[1]) == EPERM, pthread_mutex_unlock(&m[2]) == EPERM);
    for (int kind = 0; kind < 4; kind++)
        printf("%d", pthread_mutex_timedlock(&m[kind], &bad));
    printf("\n%d\n", pthread_mutex_lock(&m[2]) == EDEADLK);
    printf("%d\n", pthread_mutex_timedlock(&m[2], &now) == EDEADLK);
    printf("%d %d\n", pthread_mutex_trylock(&m[0]) == EBUSY, pthread_mutex_trylock(&m[2]) == EBUSY);
    printf("%d %d\n", pthread_mutex_lock(&m[1]), pthread_mutex_trylock(&m[1]));
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    for (int i = 0; i < 3; i++)
        printf("%d", pthread_mutex_unlock(&m[1]));
    printf("%d\n", pthread_mutex_unlock(&m[1]) == EPERM);
    printf("%d\n", pthread_mutex_unlock(&m[2]));
}
// optimised
