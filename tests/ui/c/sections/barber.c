// verdict: holds
// states: 337
// The sleeping barber with one chair: a customer who finds it taken leaves,
// everybody else is shaved. The barber never goes home.
#include <pthread.h>
#include <semaphore.h>

static sem_t customers, shaved;
static pthread_mutex_t shop = PTHREAD_MUTEX_INITIALIZER;
static int waiting;

static void *barber(void *unused) {
    for (;;) {
        sem_wait(&customers);
        pthread_mutex_lock(&shop);
        waiting--;
        pthread_mutex_unlock(&shop);
        sem_post(&shaved);
    }
    return unused;
}

static void *customer(void *unused) {
    pthread_mutex_lock(&shop);
    if (waiting == 1) {
        pthread_mutex_unlock(&shop);
        return unused;
    }
    waiting++;
    sem_post(&customers);
    pthread_mutex_unlock(&shop);
    sem_wait(&shaved);
    return unused;
}

int main(void) {
    pthread_t b, c;
    sem_init(&customers, 0, 0);
    sem_init(&shaved, 0, 0);
    pthread_create(&b, 0, barber, 0);
    pthread_create(&c, 0, customer, 0);
    customer(0);
    pthread_join(c, 0);
    return 0;
}
