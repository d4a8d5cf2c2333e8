// verdict: holds
// states: 269
// The permit is given back whatever the request does.
#include <exeunt.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permits;
static atomic_int ticks;

static void *serve(void *unused) {
    sem_wait(&permits);
    if (exeunt_choose(2))
        ticks ^= 1;
    sem_post(&permits);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&permits, 0, 1);
    pthread_create(&a, 0, serve, 0);
    pthread_create(&b, 0, serve, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
