// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* Two readers are inside at the same time, or they would wait for ever. */
#include <semaphore.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t here[2];
static void *work(void *arg) {
    long me = (long)arg;
    pthread_rwlock_rdlock(&l);
    sem_post(&here[me]);
    sem_wait(&here[1 - me]);
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&here[0], 0, 0);
    sem_init(&here[1], 0, 0);
    pthread_create(&t, 0, work, (void *)1);
    work((void *)0);
    pthread_join(t, 0);
    return 0;
}
