// verdict: holds
// options: --max-depth 40
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* Spins on trylock until the other thread has given the mutex back. */
#include <sched.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *work(void *arg) {
    while (pthread_mutex_trylock(&m) == EBUSY) sched_yield();
    shared++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    shared++;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(shared == 2);
    return 0;
}
