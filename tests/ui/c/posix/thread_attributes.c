// verdict: holds
// states: 144
// native
// What the attributes of threads take and give.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

int pthread_attr_setstackaddr(pthread_attr_t *, void *);
int pthread_attr_getstackaddr(const pthread_attr_t *, void **);

static void *nothing(void *unused) { return unused; }

int main(void)
{
    static char stack[1 << 16] __attribute__((aligned(64)));
    pthread_attr_t a, b;
    struct sched_param zero = {0}, ten = {10};
    size_t size;
    void *where;
    int value;
    cpu_set_t set;
    pthread_t t;
    printf("%d\n", pthread_attr_init(&a));
    printf("%d", pthread_attr_getguardsize(&a, &size));
    printf(" %zu\n", size);
    printf("%d\n", pthread_attr_setguardsize(&a, 0));
    printf("%d", pthread_attr_getguardsize(&a, &size));
    printf(" %zu\n", size);
    printf("%d\n", pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    printf("%d\n", pthread_attr_setscope(&a, 9) == EINVAL);
    printf("%d", pthread_attr_getscope(&a, &value));
    printf(" %d\n", value == PTHREAD_SCOPE_SYSTEM);
    printf("%d\n", pthread_attr_setinheritsched(&a, 9) == EINVAL);
    printf("%d\n", pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED));
    printf("%d", pthread_attr_getinheritsched(&a, &value));
    printf(" %d\n", value == PTHREAD_EXPLICIT_SCHED);
    printf("%d\n", pthread_attr_setschedparam(&a, &ten) == EINVAL);
    printf("%d\n", pthread_attr_setschedpolicy(&a, 9) == EINVAL);
    printf("%d\n", pthread_attr_setschedpolicy(&a, SCHED_FIFO));
    printf("%d", pthread_attr_getschedpolicy(&a, &value));
    printf(" %d\n", value == SCHED_FIFO);
    printf("%d\n", pthread_attr_setschedparam(&a, &zero) == EINVAL);
    printf("%d\n", pthread_attr_setschedparam(&a, &ten));
    printf("%d", pthread_attr_getschedparam(&a, &zero));
    printf(" %d\n", zero.sched_priority);
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    printf("%d %d\n", CPU_COUNT(&set), pthread_attr_setaffinity_np(&a, sizeof set, &set));
    printf("%d\n", pthread_attr_destroy(&a));
    pthread_attr_init(&b);
    printf("%d\n", pthread_attr_setstack(&b, stack, 100) == EINVAL);
    printf("%d\n", pthread_attr_setstack(&b, stack, sizeof stack));
    printf("%d", pthread_attr_getstack(&b, &where, &size));
    printf(" %d %zu\n", where == stack, size);
    printf("%d\n", pthread_attr_setstackaddr(&b, stack + sizeof stack));
    printf("%d", pthread_attr_getstackaddr(&b, &where));
    printf(" %d\n", where == stack + sizeof stack);
    printf("%d\n", pthread_create(&t, &b, nothing, NULL));
    printf("%d\n", pthread_join(t, NULL));
    printf("%d", pthread_getattr_default_np(&a));
    printf(" %d %d\n", pthread_attr_getdetachstate(&a, &value), value == PTHREAD_CREATE_JOINABLE);
    printf("%d", pthread_getattr_np(pthread_self(), &a));
    printf(" %d %d\n", pthread_attr_getdetachstate(&a, &value), value == PTHREAD_CREATE_JOINABLE);
}
