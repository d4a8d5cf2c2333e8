// verdict: violated deadlock
// states: 2
// Locking a mutex twice.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex); //~ error
    return 0;
}
