// verdict: holds
// states: 97
// native
// What the attributes of mutexes, conditions and threads take and give.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

int main(void)
{
    pthread_mutexattr_t m;
    pthread_condattr_t c;
    pthread_attr_t a;
    int value;
    clockid_t clock;
    printf("%d\n", pthread_mutexattr_init(&m));
    printf("%d\n", pthread_mutexattr_settype(&m, 4) == EINVAL);
    printf("%d\n", pthread_mutexattr_settype(&m, PTHREAD_MUTEX_RECURSIVE));
    printf("%d\n", pthread_mutexattr_setprotocol(&m, 3) == EINVAL);
    printf("%d\n", pthread_mutexattr_setprotocol(&m, PTHREAD_PRIO_INHERIT));
    printf("%d", pthread_mutexattr_getprotocol(&m, &value));
    printf(" %d\n", value == PTHREAD_PRIO_INHERIT);
    printf("%d\n", pthread_mutexattr_setpshared(&m, 2) == EINVAL);
    printf("%d\n", pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED));
    printf("%d", pthread_mutexattr_getpshared(&m, &value));
    printf(" %d\n", value == PTHREAD_PROCESS_SHARED);
    printf("%d\n", pthread_mutexattr_setrobust(&m, 2) == EINVAL);
    printf("%d\n", pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_STALLED));
    printf("%d", pthread_mutexattr_getrobust(&m, &value));
    printf(" %d\n", value == PTHREAD_MUTEX_STALLED);
    printf("%d", pthread_mutexattr_gettype(&m, &value));
    printf(" %d\n", value == PTHREAD_MUTEX_RECURSIVE);
    printf("%d\n", pthread_mutexattr_destroy(&m));
    printf("%d\n", pthread_condattr_init(&c));
    printf("%d\n", pthread_condattr_setclock(&c, 77) == EINVAL);
    printf("%d\n", pthread_condattr_setclock(&c, CLOCK_MONOTONIC));
    printf("%d", pthread_condattr_getclock(&c, &clock));
    printf(" %d\n", clock == CLOCK_MONOTONIC);
    printf("%d\n", pthread_condattr_setpshared(&c, 2) == EINVAL);
    printf("%d", pthread_condattr_getpshared(&c, &value));
    printf(" %d\n", value == PTHREAD_PROCESS_PRIVATE);
    printf("%d\n", pthread_condattr_destroy(&c));
    printf("%d\n", pthread_attr_init(&a));
    printf("%d\n", pthread_attr_setdetachstate(&a, 2) == EINVAL);
    printf("%d\n", pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED));
    printf("%d", pthread_attr_getdetachstate(&a, &value));
    printf(" %d\n", value == PTHREAD_CREATE_DETACHED);
    printf("%d\n", pthread_attr_destroy(&a));
}
// optimised
