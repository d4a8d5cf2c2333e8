// verdict: violated deadlock
/* Two waiters, one post: the second one waits for ever. */
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *work(void *a) {
    sem_wait(&s);
    return a;
}
int main(void) {
    pthread_t t[2];
    sem_init(&s, 0, 0);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
    sem_post(&s);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
