// verdict: violated assertion
// states: 31
// A thread that is blocked has no superstep, but it counts: as soon as main has
// unlocked the mutex it may come before `x = 1`. The rule of the paper looks
// at enabled threads only and misses this.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void *look(void *unused) {
    pthread_mutex_lock(&m);
    assert(x == 1);  //~ error
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&m);
    pthread_create(&thread, 0, look, 0);
    pthread_mutex_unlock(&m);
    x = 1;
    pthread_join(thread, 0);
    return 0;
}
