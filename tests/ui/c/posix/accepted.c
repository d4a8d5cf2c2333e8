// verdict: holds
// states: 213
// native
// Attributes that are only about real time, processes or stacks are accepted.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <threads.h>

void *nothing(void *unused) { return 0; }

int quick(void *unused) { return thrd_equal(thrd_current(), thrd_current()) != 0; }

int main(void)
{
    pthread_attr_t a;
    pthread_mutexattr_t m;
    pthread_rwlockattr_t r;
    pthread_barrierattr_t b;
    pthread_cond_t c;
    pthread_t t;
    thrd_t d;
    int value = -1;
    struct sched_param normal = {0};
    printf("%d\n", pthread_attr_init(&a));
    printf("%d\n", pthread_attr_setstacksize(&a, 1 << 20));
    printf("%d\n", pthread_attr_setguardsize(&a, 4096));
    printf("%d\n", pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM));
    printf("%d\n", pthread_attr_setinheritsched(&a, PTHREAD_INHERIT_SCHED));
    printf("%d\n", pthread_attr_setschedpolicy(&a, SCHED_OTHER));
    printf("%d\n", pthread_attr_setschedparam(&a, &normal));
    printf("%d\n", pthread_create(&t, &a, nothing, 0));
    printf("%d\n", pthread_join(t, 0));
    printf("%d\n", pthread_mutexattr_init(&m));
    printf("%d\n", pthread_mutexattr_setprioceiling(&m, 1000) == EINVAL);
    printf("%d\n", pthread_mutexattr_setprioceiling(&m, 10));
    printf("%d %d\n", pthread_mutexattr_getprioceiling(&m, &value), 0);
    printf("%d\n", value);
    printf("%d\n", pthread_rwlockattr_init(&r));
    printf("%d %d\n", pthread_rwlockattr_getpshared(&r, &value), 0);
    printf("%d\n", value == PTHREAD_PROCESS_PRIVATE);
    printf("%d\n", pthread_rwlockattr_destroy(&r));
    printf("%d\n", pthread_barrierattr_init(&b));
    printf("%d\n", pthread_barrierattr_destroy(&b));
    printf("%d\n", pthread_cond_init(&c, 0));
    printf("%d\n", pthread_cond_destroy(&c));
    printf("%d\n", sched_yield());
    printf("%d\n", pthread_setschedparam(pthread_self(), SCHED_OTHER, &normal));
    printf("%d\n", thrd_create(&d, quick, 0) == thrd_success);
    printf("%d\n", thrd_detach(d) == thrd_success);
    thrd_yield();
}
// optimised
