// verdict: holds
// states: 14
// A timed lock may time out, whenever it has to wait.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    return 0;
}
