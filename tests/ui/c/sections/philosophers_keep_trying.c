// verdict: violated section
// states: 3363
// exeunt: --sections critical
// Who does not get the second fork keeps the first one and tries again: all
// of them move for ever, and nobody eats.
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

static void *dine(void *seat) {
    long left = (long)seat, right = (left + 1) % SEATS;
    pthread_mutex_lock(&forks[left]); //~ error
    while (pthread_mutex_trylock(&forks[right]) != 0) {
    }
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void) {
    pthread_t guests[SEATS];
    for (long i = 1; i < SEATS; i++)
        pthread_create(&guests[i], 0, dine, (void *)i);
    dine(0);
    for (int i = 1; i < SEATS; i++)
        pthread_join(guests[i], 0);
    return 0;
}
