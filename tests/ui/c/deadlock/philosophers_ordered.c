// verdict: holds
// reductions: global tau
// The last one reaches for the other fork first.
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

static void *dine(void *seat) {
    long left = (long)seat, right = (left + 1) % SEATS;
    long low = left < right ? left : right, high = left + right - low;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
    return 0;
}

int main(void) {
    pthread_t guests[SEATS];
    for (long i = 0; i < SEATS; i++)
        pthread_create(&guests[i], 0, dine, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(guests[i], 0);
    return 0;
}
