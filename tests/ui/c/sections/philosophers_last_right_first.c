// verdict: holds
// states: 6286
// The last one takes the right fork first. They dine for ever, nobody is ever
// stuck, and somebody may starve, which is not reported.
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
    for (;;) {
        pthread_mutex_lock(&forks[low]);
        pthread_mutex_lock(&forks[high]);
        pthread_mutex_unlock(&forks[high]);
        pthread_mutex_unlock(&forks[low]);
    }
    return 0;
}

int main(void) {
    pthread_t guest;
    for (long i = 1; i < SEATS; i++)
        pthread_create(&guest, 0, dine, (void *)i);
    dine(0);
}
