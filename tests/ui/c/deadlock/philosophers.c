// verdict: violated deadlock
// states: 2105
// Three philosophers, each with the left fork in hand.
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

static void *dine(void *seat) {
    long left = (long)seat, right = (left + 1) % SEATS;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]); //~ error
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void) {
    pthread_t guests[SEATS];
    for (long i = 0; i < SEATS; i++)
        pthread_create(&guests[i], 0, dine, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(guests[i], 0); //~ error
    return 0;
}
