// verdict: holds
/* The program ends while a thread waits: that is no deadlock. */
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *work(void *a) {
    sem_wait(&s);
    return a;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, work, 0);
    return 0;
}
