// Weak fairness: whoever waits for a lock that is free now and then may wait for ever.
// verdict: violated
// options: --thread t --env e --fair
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int flag;

void t(void) {
    for (;;) {
        pthread_mutex_lock(&m);
        int done = flag;
        pthread_mutex_unlock(&m);
        if (done)
            break;
    }
}

void e(void) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
}
