// verdict: holds
// states: 49
// exeunt: --races
// Order is transitive: the last thread was told by the second what the first did.
#include <pthread.h>
#include <semaphore.h>

static int x;
static sem_t a, b;

static void *first(void *unused) {
    x = 1;
    sem_post(&a);
    return unused;
}

static void *second(void *unused) {
    sem_wait(&a);
    sem_post(&b);
    return unused;
}

int main(void) {
    pthread_t one, two;
    sem_init(&a, 0, 0);
    sem_init(&b, 0, 0);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    sem_wait(&b);
    x++;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
// optimised
