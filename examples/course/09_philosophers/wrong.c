/* Dining philosophers. Three philosophers share three forks; each needs two. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *dine(void *arg) {
    long seat = (long)arg, first = seat, second = (seat + 1) % 3;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return arg;
}
int main(void) {
    pthread_t guests[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&guests[i], 0, dine, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(guests[i], 0);
    return 0;
}
