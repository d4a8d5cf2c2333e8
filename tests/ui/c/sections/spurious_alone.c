// verdict: violated deadlock
// states: 10
// Nobody signals. That the wait might end by itself is not what one waits for.
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&never, &mutex); //~ error
    pthread_mutex_unlock(&mutex);
    return 0;
}
