// verdict: violated section
// states: 372
// exeunt: --all
// The failing request does not give its permit back; when the permits are
// used up, whoever asks next waits for ever.
#include <exeunt.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permits;
static atomic_int ticks;

static void *serve(void *unused) {
    sem_wait(&permits); //~ error
    if (exeunt_choose(2))
        return unused;
    sem_post(&permits);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&permits, 0, 1);
    pthread_create(&a, 0, serve, 0);
    pthread_create(&b, 0, serve, 0);
    for (;;)
        ticks ^= 1;
}
