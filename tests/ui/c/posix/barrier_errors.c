// verdict: holds
// states: 52
// native
// What barriers and spin locks return.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

pthread_spinlock_t s;

void *other(void *unused)
{
    printf("%d\n", pthread_spin_trylock(&s) == EBUSY);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_t b;
    pthread_barrierattr_t a;
    printf("%d\n", pthread_barrier_init(&b, 0, 0) == EINVAL);
    printf("%d\n", pthread_barrierattr_init(&a));
    printf("%d\n", pthread_barrierattr_setpshared(&a, 2) == EINVAL);
    printf("%d\n", pthread_barrier_init(&b, &a, 1));
    printf("%d\n", pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    printf("%d\n", pthread_barrier_destroy(&b));
    printf("%d\n", pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE));
    printf("%d\n", pthread_spin_lock(&s));
    printf("%d\n", pthread_spin_trylock(&s) == EBUSY);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    printf("%d\n", pthread_spin_unlock(&s));
    printf("%d\n", pthread_spin_trylock(&s));
    printf("%d\n", pthread_spin_unlock(&s));
    printf("%d\n", pthread_spin_destroy(&s));
}
// optimised
