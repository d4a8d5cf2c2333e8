// verdict: violated deadlock
/* Three arrivals at a barrier of two: one waits for ever. */
#include <pthread.h>
static pthread_barrier_t b;
static void *work(void *a) {
    pthread_barrier_wait(&b);
    return a;
}
int main(void) {
    pthread_t t[3];
    pthread_barrier_init(&b, 0, 2);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
