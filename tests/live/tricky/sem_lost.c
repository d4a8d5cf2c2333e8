// verdict: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* One post for two waiters. */
#include <semaphore.h>
static sem_t s;
static void *work(void *arg) { sem_wait(&s); return arg; }
int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    sem_post(&s);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
