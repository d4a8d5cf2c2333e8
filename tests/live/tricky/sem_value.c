// verdict: holds
/* What sem_getvalue says is a value that the semaphore had. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *work(void *a) {
    sem_post(&s);
    sem_post(&s);
    return a;
}
int main(void) {
    pthread_t t;
    int value;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, work, 0);
    sem_getvalue(&s, &value);
    assert(value >= 1 && value <= 3);
    pthread_join(t, 0);
    sem_getvalue(&s, &value);
    assert(value == 3);
    return 0;
}
