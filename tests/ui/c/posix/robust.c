// verdict: inconclusive
// states: 6
// Robust mutexes are not supported.
#define _GNU_SOURCE
#include <pthread.h>

int main(void)
{
    pthread_mutex_t m;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_mutex_consistent(&m);
}
// optimised
