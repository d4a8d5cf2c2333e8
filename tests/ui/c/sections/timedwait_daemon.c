// verdict: holds
// states: 9
// Nobody ever signals, but the wait has a time-out, and time passes.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec soon = {0};
    for (;;) {
        pthread_mutex_lock(&mutex);
        pthread_cond_timedwait(&never, &mutex, &soon);
        pthread_mutex_unlock(&mutex);
    }
}
