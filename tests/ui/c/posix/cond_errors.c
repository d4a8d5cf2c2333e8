// verdict: holds
// states: 37
// native
// What waits on conditions return.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

pthread_mutex_t m, plain = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec past, bad = {0, 1000000000}, negative = {0, -1};

int main(void)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &a);
    printf("%d\n", pthread_cond_wait(&c, &m) == EPERM);
    printf("%d\n", pthread_cond_timedwait(&c, &m, &past) == EPERM);
    printf("%d\n", pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past) == EPERM);
    pthread_mutex_lock(&plain);
    printf("%d\n", pthread_cond_timedwait(&c, &plain, &bad) == EINVAL);
    printf("%d\n", pthread_cond_timedwait(&c, &plain, &negative) == EINVAL);
    printf("%d\n", pthread_cond_clockwait(&c, &plain, CLOCK_REALTIME, &bad) == EINVAL);
    printf("%d\n", pthread_cond_clockwait(&c, &plain, 77, &past) == EINVAL);
    printf("%d\n", pthread_mutex_unlock(&plain));
    printf("%d %d\n", pthread_cond_signal(&c), pthread_cond_broadcast(&c));
    printf("%d\n", pthread_cond_destroy(&c));
}
// optimised
