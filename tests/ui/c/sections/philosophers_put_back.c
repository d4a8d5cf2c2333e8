// verdict: holds
// states: 11084
// Who does not get the second fork puts the first one back. All of them can do
// that for ever, in step; but one that comes out of step eats.
#include <exeunt.h>
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

EXEUNT_MUST_RETURN static void eat(long seat) {
    long left = seat, right = (left + 1) % SEATS;
    for (;;) {
        pthread_mutex_lock(&forks[left]);
        if (pthread_mutex_trylock(&forks[right]) == 0)
            break;
        pthread_mutex_unlock(&forks[left]);
    }
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
}

static void *dine(void *seat) {
    eat((long)seat);
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
