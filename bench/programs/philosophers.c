// Dining philosophers who eat MEALS times each. Forks are taken in order of their
// number, so no circle of waiting can close. BROKEN: each takes the fork on the left first,
// and a clock goes on while they starve.
#include <pthread.h>

#ifdef BROKEN
#include "clock.h"
#endif

#ifndef SEATS
#define SEATS 4
#endif
#ifndef MEALS
#define MEALS 1
#endif

static pthread_mutex_t forks[SEATS];
static int eaten[SEATS];

static void *dine(void *seat) {
    long a = (long)seat, b = (a + 1) % SEATS;
#ifdef BROKEN
    long low = a, high = b;
#else
    long low = a < b ? a : b, high = a < b ? b : a;
#endif
    for (int meal = 0; meal < MEALS; meal++) {
        pthread_mutex_lock(&forks[low]);
        pthread_mutex_lock(&forks[high]);
        eaten[a]++;
        pthread_mutex_unlock(&forks[high]);
        pthread_mutex_unlock(&forks[low]);
    }
    return 0;
}

int main(void) {
    pthread_t guests[SEATS];
#ifdef BROKEN
    start_clock();
#endif
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < SEATS; i++)
        pthread_create(&guests[i], 0, dine, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(guests[i], 0);
    return 0;
}
