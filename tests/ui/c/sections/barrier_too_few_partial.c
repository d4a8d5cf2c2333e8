// verdict: violated section
// states: 32
// exeunt: --all
// A barrier for three; two come, and the third thread has other things to do.
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int ticks;

static void *arrive(void *unused) {
    pthread_barrier_wait(&barrier); //~ error
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&a, 0, arrive, 0);
    pthread_create(&b, 0, arrive, 0);
    for (;;)
        ticks ^= 1;
}
