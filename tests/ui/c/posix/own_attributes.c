// verdict: holds
// states: 12
// Functions of glibc about the running thread.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

int pthread_yield(void);

int main(void)
{
    pthread_attr_t a;
    assert(pthread_getattr_np(pthread_self(), &a) == 0);
    assert(pthread_yield() == 0);
}
// optimised
