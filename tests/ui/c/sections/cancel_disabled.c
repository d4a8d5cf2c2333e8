// verdict: violated deadlock
// states: 12
// The thread does not want to be cancelled, so neither its wait nor the join
// ends.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *stay(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    sem_wait(&never); //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, 0, stay, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0); //~ error
    return 0;
}
