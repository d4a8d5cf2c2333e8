// verdict: violated deadlock
// states: 67
// One of two leaves a round out, and the other waits for a partner that has
// left.
#include <exeunt.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void *rounds(void *skip) {
    for (int i = 0; i < 2; i++)
        if (i != *(int *)skip)
            pthread_barrier_wait(&barrier); //~ error
    return skip;
}

int main(void) {
    pthread_t a, b;
    int never = -1, second = 1;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, rounds, &never);
    pthread_create(&b, 0, rounds, &second);
    pthread_join(a, 0); //~ error
    pthread_join(b, 0);
    return 0;
}
