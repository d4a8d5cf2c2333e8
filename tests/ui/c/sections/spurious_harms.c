// verdict: violated deadlock
// states: 76
// A spurious wake-up lets the taker go before anything is given; then nobody is
// left to take.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static pthread_cond_t taken = PTHREAD_COND_INITIALIZER;
static int item;

static void *take(void *unused) {
    pthread_mutex_lock(&mutex);
    if (item == 0)
        pthread_cond_wait(&given, &mutex);
    item = 0;
    pthread_cond_signal(&taken);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    pthread_mutex_lock(&mutex);
    item = 1;
    pthread_cond_signal(&given);
    while (item != 0)
        pthread_cond_wait(&taken, &mutex); //~ error
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
