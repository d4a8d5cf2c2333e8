// verdict: holds
// states: 1392
// Both paths unlock.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 1;
static atomic_int ticks;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    if (jobs == 0) {
        pthread_mutex_unlock(&mutex);
        return unused;
    }
    jobs--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_create(&c, 0, work, 0);
    for (;;)
        ticks ^= 1;
}
