/* SEATS philosophers dine ROUNDS times and take the lower fork first. */
#include <pthread.h>
static pthread_mutex_t forks[SEATS];
static void *dine(void *arg) {
    long seat = (long)arg, next = (seat + 1) % SEATS;
    long first = seat < next ? seat : next, second = seat < next ? next : seat;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]);
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
    }
    return 0;
}
int main(void) {
    pthread_t guests[SEATS];
    for (int i = 0; i < SEATS; i++) pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < SEATS; i++) pthread_create(&guests[i], 0, dine, (void *)i);
    for (int i = 0; i < SEATS; i++) pthread_join(guests[i], 0);
    return 0;
}
