// verdict: violated deadlock
// states: 30
// One path forgets to unlock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int busy;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex); //~ error
    if (busy)
        return unused;
    busy = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(b, 0);
    pthread_create(&c, 0, work, 0);
    pthread_join(c, 0); //~ error
    return 0;
}
