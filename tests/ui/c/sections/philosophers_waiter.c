// verdict: holds
// states: 4998
// A waiter lets only two of three sit down at the same time.
#include <pthread.h>
#include <semaphore.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
static sem_t chairs;

static void *dine(void *seat) {
    long left = (long)seat, right = (left + 1) % SEATS;
    sem_wait(&chairs);
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    sem_post(&chairs);
    return 0;
}

int main(void) {
    pthread_t guests[SEATS];
    sem_init(&chairs, 0, SEATS - 1);
    for (long i = 1; i < SEATS; i++)
        pthread_create(&guests[i], 0, dine, (void *)i);
    dine(0);
    for (int i = 1; i < SEATS; i++)
        pthread_join(guests[i], 0);
    return 0;
}
