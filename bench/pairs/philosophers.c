#include <pthread.h>

static pthread_mutex_t forks[SEATS];

static void *eat(void *seat) {
    long left = (long)seat, right = (left + 1) % SEATS;
    long first = left < right ? left : right, second = left < right ? right : left;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return 0;
}

int main(void) {
    pthread_t threads[SEATS];
    for (long i = 0; i < SEATS; i++)
        pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < SEATS; i++)
        pthread_create(&threads[i], 0, eat, (void *)i);
    for (long i = 0; i < SEATS; i++)
        pthread_join(threads[i], 0);
}
