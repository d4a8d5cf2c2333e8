// verdict: violated assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* An update in two halves, with a sched_yield between them. */
#include <sched.h>
static int counter;
static void *work(void *arg) {
    int old = counter;
    sched_yield();
    counter = old + 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
