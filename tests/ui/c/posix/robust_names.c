// verdict: holds
// states: 28
// The old names of the functions about robust mutexes.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

int main(void)
{
    pthread_mutexattr_t a;
    pthread_mutex_t m;
    int value;
    pthread_mutexattr_init(&a);
    assert(pthread_mutexattr_setrobust_np(&a, 2) == EINVAL);
    assert(pthread_mutexattr_setrobust_np(&a, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutexattr_getrobust_np(&a, &value) == 0 && value == PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    assert(pthread_mutex_consistent_np(&m) == EINVAL);
}
