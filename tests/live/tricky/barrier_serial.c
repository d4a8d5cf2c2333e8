// verdict: violated assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* Any thread may be the serial one of a barrier, but exactly one is. */
static pthread_barrier_t b;
static void *work(void *arg) {
    int code = pthread_barrier_wait(&b);
    assert(code == 0 || code == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(code == 0);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, work, 0);
    pthread_barrier_wait(&b);
    pthread_join(t, 0);
    return 0;
}
