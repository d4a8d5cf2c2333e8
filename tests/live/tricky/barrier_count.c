// verdict: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A barrier for three that two threads come to. */
static pthread_barrier_t b;
static void *work(void *arg) { pthread_barrier_wait(&b); return arg; }
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 3);
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
