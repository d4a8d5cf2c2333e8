// verdict: holds
// states: 120
// native
// What readers-writer locks return.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
struct timespec past, bad = {0, 1000000000};

void *other(void *unused)
{
    printf("%d\n", pthread_rwlock_tryrdlock(&l) == EBUSY);
    printf("%d\n", pthread_rwlock_trywrlock(&l) == EBUSY);
    printf("%d\n", pthread_rwlock_timedrdlock(&l, &past) == ETIMEDOUT);
    printf("%d\n", pthread_rwlock_timedwrlock(&l, &past) == ETIMEDOUT);
    printf("%d\n", pthread_rwlock_timedrdlock(&l, &bad) == EINVAL);
    printf("%d\n", pthread_rwlock_timedwrlock(&l, &bad) == EINVAL);
    printf("%d\n", pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    printf("%d\n", pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    printf("%d\n", pthread_rwlock_clockrdlock(&l, 77, &past) == EINVAL);
    printf("%d\n", pthread_rwlock_clockwrlock(&l, 77, &past) == EINVAL);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_rwlockattr_t a;
    int kind = -1;
    pthread_rwlockattr_init(&a);
    pthread_rwlockattr_getkind_np(&a, &kind);
    printf("%d\n", kind);
    printf("%d\n", pthread_rwlockattr_setkind_np(&a, 3) == EINVAL);
    printf("%d\n", pthread_rwlockattr_setkind_np(&a, 2));
    pthread_rwlockattr_getkind_np(&a, &kind);
    printf("%d\n", kind);
    printf("%d\n", pthread_rwlockattr_setpshared(&a, 2) == EINVAL);
    printf("%d\n", pthread_rwlock_rdlock(&l));
    printf("%d\n", pthread_rwlock_tryrdlock(&l));
    printf("%d\n", pthread_rwlock_trywrlock(&l) == EBUSY);
    printf("%d %d\n", pthread_rwlock_unlock(&l), pthread_rwlock_unlock(&l));
    printf("%d\n", pthread_rwlock_wrlock(&l));
    printf("%d\n", pthread_rwlock_rdlock(&l) == EDEADLK);
    printf("%d\n", pthread_rwlock_wrlock(&l) == EDEADLK);
    printf("%d\n", pthread_rwlock_timedwrlock(&l, &past) == EDEADLK);
    printf("%d\n", pthread_rwlock_tryrdlock(&l) == EBUSY);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    printf("%d\n", pthread_rwlock_unlock(&l));
    printf("%d\n", pthread_rwlock_destroy(&l));
}
// optimised
