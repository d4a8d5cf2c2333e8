// verdict: violated deadlock
/* Cancellation is disabled, so the wait never ends. */
#include <pthread.h>
#include <semaphore.h>
static sem_t s, never;
static void *work(void *a) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    sem_post(&s);
    sem_wait(&never);
    return a;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, work, 0);
    sem_wait(&s);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
