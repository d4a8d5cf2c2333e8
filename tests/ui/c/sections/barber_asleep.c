// verdict: violated deadlock
// states: 87
// The customer who sits down wakes the barber only if he believes him to be
// asleep, and the barber says so a moment too late.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t wake, shaved;
static atomic_int waiting, asleep;

static void *barber(void *unused) {
    for (;;) {
        while (waiting == 0) {
            asleep = 1;
            sem_wait(&wake); //~ error
            asleep = 0;
        }
        waiting--;
        sem_post(&shaved);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&wake, 0, 0);
    sem_init(&shaved, 0, 0);
    pthread_create(&thread, 0, barber, 0);
    waiting++;
    if (asleep)
        sem_post(&wake);
    sem_wait(&shaved); //~ error
    return 0;
}
