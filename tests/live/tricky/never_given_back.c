// verdict: violated section
// options: --max-depth 40
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A thread takes a lock, then runs for ever without giving it back. */
#include <sched.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    for (;;) sched_yield();
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    for (;;) sched_yield();
}
