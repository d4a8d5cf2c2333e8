// verdict: violated assertion
/* The value may have changed when it is looked at. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *work(void *a) {
    sem_post(&s);
    return a;
}
int main(void) {
    pthread_t t;
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, work, 0);
    sem_getvalue(&s, &value);
    assert(value == 0);
    pthread_join(t, 0);
    return 0;
}
