// verdict: holds
// states: 54
// native
// What keys return in glibc where POSIX leaves it open.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

int main(void)
{
    pthread_key_t k;
    tss_t t;
    printf("%d\n", pthread_key_delete(1000) == EINVAL);
    printf("%d\n", pthread_setspecific(1000, &k) == EINVAL);
    printf("%d\n", pthread_getspecific(1000) == 0);
    printf("%d\n", pthread_key_create(&k, 0));
    printf("%d\n", pthread_setspecific(k, &k));
    printf("%d\n", pthread_getspecific(k) == &k);
    printf("%d\n", pthread_key_delete(k));
    printf("%d\n", pthread_key_delete(k) == EINVAL);
    printf("%d\n", pthread_setspecific(k, 0) == EINVAL);
    printf("%d\n", tss_create(&t, 0) == thrd_success);
    printf("%d\n", tss_set(t, &t) == thrd_success);
    printf("%d\n", tss_get(t) == &t);
    tss_delete(t);
    printf("%d\n", tss_set(t, &t) == thrd_error);
}
// optimised
