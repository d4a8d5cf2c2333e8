// verdict: holds
// states: 19
// A timed wait that nobody signals times out.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&mutex);
    int answer = pthread_cond_timedwait(&never, &mutex, &until);
    assert(answer == ETIMEDOUT || answer == 0);
    pthread_mutex_unlock(&mutex);
    return 0;
}
