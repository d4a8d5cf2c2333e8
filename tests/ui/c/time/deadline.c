// verdict: holds
// states: 109
// A deadline that only ends in a timed wait costs no state and weakens nothing.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int go;

static void *wait(void *unused) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&mutex);
    while (!go)
        if (pthread_cond_timedwait(&condition, &mutex, &until))
            break;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    pthread_mutex_lock(&mutex);
    go = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
}
