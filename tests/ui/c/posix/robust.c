// verdict: holds
// states: 71
// native
// The next one who locks a robust mutex learns that its owner has died; what it does then decides
// whether the mutex can still be used.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

static pthread_mutex_t m;

static void *dies(void *unused)
{
    pthread_mutex_lock(&m);
    return unused;
}

static void one_dies(void)
{
    pthread_t t;
    pthread_create(&t, NULL, dies, NULL);
    pthread_join(t, NULL);
}

int main(void)
{
    pthread_mutexattr_t a;
    int value;
    pthread_mutexattr_init(&a);
    printf("%d\n", pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST));
    printf("%d", pthread_mutexattr_getrobust(&a, &value));
    printf(" %d\n", value == PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    printf("%d\n", pthread_mutex_consistent(&m) == EINVAL);
    printf("%d\n", pthread_mutex_unlock(&m) == EPERM);
    one_dies();
    printf("%d\n", pthread_mutex_lock(&m) == EOWNERDEAD);
    printf("%d\n", pthread_mutex_consistent(&m));
    printf("%d\n", pthread_mutex_unlock(&m));
    printf("%d\n", pthread_mutex_lock(&m));
    printf("%d\n", pthread_mutex_unlock(&m));
    one_dies();
    printf("%d\n", pthread_mutex_trylock(&m) == EOWNERDEAD);
    printf("%d\n", pthread_mutex_unlock(&m));
    printf("%d\n", pthread_mutex_lock(&m) == ENOTRECOVERABLE);
    printf("%d\n", pthread_mutex_trylock(&m) == ENOTRECOVERABLE);
    printf("%d\n", pthread_mutex_destroy(&m));
}
