// verdict: violated section
// states: 2021
// exeunt: --sections mutex-wait
// Each takes the left fork first, and while all of them wait the host talks.
#include <pthread.h>
#include <stdatomic.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
static atomic_int talk;

static void *dine(void *seat) {
    long left = (long)seat, right = (left + 1) % SEATS;
    for (;;) {
        pthread_mutex_lock(&forks[left]);
        pthread_mutex_lock(&forks[right]); //~ error
        pthread_mutex_unlock(&forks[right]);
        pthread_mutex_unlock(&forks[left]);
    }
    return 0;
}

int main(void) {
    pthread_t guest;
    for (long i = 0; i < SEATS; i++)
        pthread_create(&guest, 0, dine, (void *)i);
    for (;;)
        talk ^= 1;
}
