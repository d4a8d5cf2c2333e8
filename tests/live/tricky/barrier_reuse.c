// verdict: holds
/* The same barrier three times: nobody is a round ahead. */
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static int round_of[2];
static void *work(void *a) {
    long me = (long)a;
    for (int i = 1; i <= 3; i++) {
        round_of[me] = i;
        pthread_barrier_wait(&b);
        assert(round_of[1 - me] >= i);
        pthread_barrier_wait(&b);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, work, (void *)1);
    work(0);
    pthread_join(t, 0);
    pthread_barrier_destroy(&b);
    return 0;
}
