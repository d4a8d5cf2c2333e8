// verdict: holds
// states: 135
// native
// What semaphores return.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#define SHOW(call, code) (errno = 0, printf("%d %d\n", call, errno == code))

int main(void)
{
    sem_t s;
    int value;
    struct timespec past = {0}, bad = {0, 1000000000}, negative = {0, -1};
    SHOW(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
    SHOW(sem_init(&s, 0, SEM_VALUE_MAX), 0);
    SHOW(sem_post(&s), EOVERFLOW);
    SHOW(sem_getvalue(&s, &value), 0);
    printf("%d\n", value == SEM_VALUE_MAX);
    SHOW(sem_init(&s, 0, 1), 0);
    SHOW(sem_trywait(&s), 0);
    SHOW(sem_trywait(&s), EAGAIN);
    SHOW(sem_timedwait(&s, &past), ETIMEDOUT);
    SHOW(sem_timedwait(&s, &bad), EINVAL);
    SHOW(sem_timedwait(&s, &negative), EINVAL);
    SHOW(sem_clockwait(&s, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    SHOW(sem_clockwait(&s, CLOCK_MONOTONIC, &bad), EINVAL);
    SHOW(sem_clockwait(&s, 77, &past), EINVAL);
    SHOW(sem_post(&s), 0);
    SHOW(sem_wait(&s), 0);
    SHOW(sem_destroy(&s), 0);
}
// optimised
