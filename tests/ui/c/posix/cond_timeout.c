// verdict: holds
// states: 24
// exeunt: --no-spurious
// native
// A time-out gives the mutex back.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    struct timespec past = {0};
    pthread_mutex_lock(&m);
    printf("%d\n", pthread_cond_timedwait(&c, &m, &past) == ETIMEDOUT);
    printf("%d\n", pthread_mutex_trylock(&m) == EBUSY);
    printf("%d\n", pthread_mutex_unlock(&m));
}
// optimised
