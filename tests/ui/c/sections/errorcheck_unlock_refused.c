// verdict: violated deadlock
// states: 8
// The unlock by another thread is refused, nobody looks at the result, and
// the mutex stays locked.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *helper(void *unused) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex); //~ error
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, helper, 0);
    pthread_join(thread, 0); //~ error
    return 0;
}
