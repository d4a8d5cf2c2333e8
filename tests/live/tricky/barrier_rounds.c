// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A barrier is used again at once; each round has one serial thread. */
static pthread_barrier_t b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int serial, rounds[2];
static void *work(void *arg) {
    for (int i = 0; i < 2; i++) {
        int code = pthread_barrier_wait(&b);
        pthread_mutex_lock(&m);
        serial += code == PTHREAD_BARRIER_SERIAL_THREAD;
        rounds[i]++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(serial == 2 && rounds[0] == 2 && rounds[1] == 2);
    return 0;
}
