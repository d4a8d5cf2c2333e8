// verdict: violated assertion
/* An increment without a lock, with a yield in between. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
static int n;
static void *work(void *a) {
    int old = n;
    sched_yield();
    n = old + 1;
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(n == 2);
    return 0;
}
