// verdict: violated deadlock
// states: 16
// Two threads wait for the end of each other.
#include <pthread.h>

static pthread_t first, second;
static pthread_mutex_t ready = PTHREAD_MUTEX_INITIALIZER;

static void *join_second(void *unused) {
    pthread_mutex_lock(&ready);
    pthread_mutex_unlock(&ready);
    pthread_join(second, 0); //~ error
    return unused;
}

static void *join_first(void *unused) {
    pthread_mutex_lock(&ready);
    pthread_mutex_unlock(&ready);
    pthread_join(first, 0); //~ error
    return unused;
}

int main(void) {
    pthread_mutex_lock(&ready);
    pthread_create(&first, 0, join_second, 0);
    pthread_create(&second, 0, join_first, 0);
    pthread_mutex_unlock(&ready);
    pthread_exit(0);
}
