// verdict: holds
/* A join that does not wait. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
static void *work(void *a) {
    sched_yield();
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int code = pthread_tryjoin_np(t, 0);
    assert(code == 0 || code == EBUSY);
    if (code) pthread_join(t, 0);
    return 0;
}
