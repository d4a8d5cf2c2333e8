// verdict: holds
// states: 19
// A barrier that is used again and again by as many as it is made for.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *rounds(void *unused) {
    for (;;)
        pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, rounds, 0);
    rounds(0);
}
