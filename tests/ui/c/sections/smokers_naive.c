// verdict: violated section
// states: 46
// exeunt: --sections sem-wait
// Patil's cigarette smokers, two of three: the one who needs A and B and the
// one who needs B and C each take one of what is on the table.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t a, b, c;
static atomic_int ticks;

static void *needs_a_and_b(void *unused) {
    sem_wait(&a);
    sem_wait(&b); //~ error
    return unused;
}

static void *needs_b_and_c(void *unused) {
    sem_wait(&b); //~ error
    sem_wait(&c); //~ error
    return unused;
}

int main(void) {
    pthread_t x, y;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    sem_init(&c, 0, 0);
    pthread_create(&x, 0, needs_a_and_b, 0);
    pthread_create(&y, 0, needs_b_and_c, 0);
    for (;;)
        ticks ^= 1;
}
