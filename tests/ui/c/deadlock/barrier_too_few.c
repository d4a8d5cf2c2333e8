// verdict: violated deadlock
// states: 8
// A barrier for three, and two come.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *arrive(void *unused) {
    pthread_barrier_wait(&barrier); //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&thread, 0, arrive, 0);
    pthread_barrier_wait(&barrier); //~ error
    pthread_join(thread, 0);
    return 0;
}
