// verdict: holds
// states: 60
// exeunt: --races
// Those who meet at a barrier know what each of them did before.
#include <pthread.h>

static pthread_barrier_t b;
static int x[2], y[2];

static void *work(void *unused) {
    x[0] = 1;
    pthread_barrier_wait(&b);
    y[0] = x[1];
    pthread_barrier_wait(&b);
    x[0] = y[1];
    return unused;
}

int main(void) {
    pthread_barrier_init(&b, 0, 2);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    x[1] = 1;
    pthread_barrier_wait(&b);
    y[1] = x[0];
    pthread_barrier_wait(&b);
    x[1] = y[0];
    pthread_join(thread, 0);
    return 0;
}
// optimised
