/* A barrier for too many. Two threads meet. */
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static void *work(void *arg) {
    pthread_barrier_wait(&b);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
