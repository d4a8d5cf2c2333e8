// verdict: violated misuse
// states: 1
// Waiting on a condition without holding the mutex.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_wait(&condition, &mutex); //~ error
    return 0;
}
