// verdict: holds
// check: inconclusive, because a signal may come from outside
/* A signal handler posts the semaphore that the program waits for. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
static sem_t s;
static void handler(int number) {
    (void)number;
    sem_post(&s);
}
static void *work(void *a) {
    raise(SIGUSR1);
    return a;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    signal(SIGUSR1, handler);
    pthread_create(&t, 0, work, 0);
    sem_wait(&s);
    pthread_join(t, 0);
    return 0;
}
