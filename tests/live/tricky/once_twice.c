// verdict: holds
/* Two threads, one initialisation, and both see it. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;
static void make(void) {
    made++;
    sched_yield();
    made += 10;
}
static void *work(void *a) {
    pthread_once(&once, make);
    assert(made == 11);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
