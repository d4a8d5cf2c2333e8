// verdict: holds
// states: 79
// native
// What functions about threads return.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

sem_t go;
struct timespec past, bad = {0, 1000000000};

void *waiter(void *result)
{
    sem_wait(&go);
    return result;
}

int main(void)
{
    pthread_t t;
    void *result;
    int state;
    sem_init(&go, 0, 0);
    pthread_create(&t, 0, waiter, &go);
    printf("%d\n", pthread_tryjoin_np(t, 0) == EBUSY);
    printf("%d\n", pthread_timedjoin_np(t, 0, &past) == ETIMEDOUT);
    printf("%d\n", pthread_clockjoin_np(t, 0, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    printf("%d\n", pthread_clockjoin_np(t, 0, 77, &past) == EINVAL);
    printf("%d\n", pthread_kill(t, 0));
    printf("%d\n", pthread_kill(t, 100) == EINVAL);
    printf("%d\n", pthread_setname_np(t, "fifteen bytes .") );
    printf("%d\n", pthread_setname_np(t, "sixteen bytes ..") == ERANGE);
    sem_post(&go);
    printf("%d %d\n", pthread_timedjoin_np(t, &result, 0), result == &go);
    printf("%d\n", pthread_setcancelstate(7, &state) == EINVAL);
    printf("%d\n", pthread_setcanceltype(7, &state) == EINVAL);
    printf("%d\n", pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state));
    printf("%d\n", state == PTHREAD_CANCEL_ENABLE);
    printf("%d\n", pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &state));
    printf("%d\n", state == PTHREAD_CANCEL_DEFERRED);
    printf("%d\n", pthread_setconcurrency(-1) == EINVAL);
    printf("%d\n", pthread_equal(pthread_self(), pthread_self()) != 0);
}
// optimised
