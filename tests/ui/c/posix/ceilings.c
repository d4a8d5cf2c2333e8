// verdict: holds
// states: 49
// Priority ceilings are kept; without privileges the native system refuses them.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    pthread_mutexattr_t a;
    pthread_mutex_t m, plain = PTHREAD_MUTEX_INITIALIZER;
    int value;
    assert(pthread_mutex_getprioceiling(&plain, &value) == EINVAL);
    assert(pthread_mutex_setprioceiling(&plain, 5, &value) == EINVAL);
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&a, 20);
    pthread_mutex_init(&m, &a);
    assert(pthread_mutex_getprioceiling(&m, &value) == 0 && value == 20);
    assert(pthread_mutex_setprioceiling(&m, 30, &value) == 0 && value == 20);
    assert(pthread_mutex_getprioceiling(&m, &value) == 0 && value == 30);
    pthread_mutex_lock(&m);
    assert(pthread_mutex_setprioceiling(&m, 40, NULL) == EDEADLK);
    pthread_mutex_unlock(&m);
}
