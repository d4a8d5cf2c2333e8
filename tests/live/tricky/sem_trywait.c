// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A try takes the semaphore if it is there and says EAGAIN if not. */
#include <semaphore.h>
static sem_t s, done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int got;
static void *work(void *arg) {
    if (sem_trywait(&s) == 0) {
        pthread_mutex_lock(&m);
        got++;
        pthread_mutex_unlock(&m);
    } else {
        assert(errno == EAGAIN);
    }
    sem_post(&done);
    return arg;
}
int main(void) {
    int value;
    pthread_t t[3];
    sem_init(&s, 0, 2);
    sem_init(&done, 0, 0);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) sem_wait(&done);
    assert(sem_getvalue(&s, &value) == 0 && value == 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(got == 2);
    return 0;
}
