/* SEATS philosophers dine once. ORDERED: the last one takes the other fork first. */
#include <pthread.h>
#ifndef SEATS
#define SEATS 3
#endif
static pthread_mutex_t forks[SEATS];
static void *dine(void *arg) {
    long seat = (long)arg, first = seat, second = (seat + 1) % SEATS;
#ifdef ORDERED
    if (first > second) { first = second; second = seat; }
#endif
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return 0;
}
int main(void) {
    pthread_t guests[SEATS];
    for (int i = 0; i < SEATS; i++) pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < SEATS; i++) pthread_create(&guests[i], 0, dine, (void *)i);
    for (int i = 0; i < SEATS; i++) pthread_join(guests[i], 0);
    return 0;
}
