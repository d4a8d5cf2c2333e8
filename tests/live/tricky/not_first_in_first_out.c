// verdict: violated assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
/* A waits before B; which of them a signal wakes is not said. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t a_waits, b_waits, woken;
static char first;
static void *a(void *arg) {
    pthread_mutex_lock(&m);
    sem_post(&a_waits);
    pthread_cond_wait(&c, &m);
    if (!first) first = 'A';
    sem_post(&woken);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *b(void *arg) {
    sem_wait(&a_waits);
    pthread_mutex_lock(&m);
    sem_post(&b_waits);
    pthread_cond_wait(&c, &m);
    if (!first) first = 'B';
    sem_post(&woken);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t, u;
    sem_init(&a_waits, 0, 0);
    sem_init(&b_waits, 0, 0);
    sem_init(&woken, 0, 0);
    pthread_create(&t, 0, a, 0);
    pthread_create(&u, 0, b, 0);
    sem_wait(&b_waits);
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    sem_wait(&woken);
    pthread_mutex_lock(&m);
    assert(first == 'A');
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
