// verdict: violated
// options: --thread io_control --env 'read_request*'
#include <pthread.h>

pthread_mutex_t spin = PTHREAD_MUTEX_INITIALIZER;   // devExt->SpinLock
pthread_mutex_t cancel = PTHREAD_MUTEX_INITIALIZER; // the cancel lock
int queue;                                          // length of devExt->ReadQueue
int is_cancelled;
int completed;

void io_control(void) {
    pthread_mutex_lock(&spin);
    while (queue > 0) {
        queue--; // RemoveHeadList
        pthread_mutex_lock(&cancel);
        if (is_cancelled) {
            pthread_mutex_unlock(&cancel);
            continue;
        }
        pthread_mutex_unlock(&cancel);
        pthread_mutex_unlock(&spin);
        completed = 1; // RemoveReferenceAndCompleteRequest
        pthread_mutex_lock(&spin);
    }
    pthread_mutex_unlock(&spin);
}

void read_request(void) {
    pthread_mutex_lock(&spin);
    if (queue < 1000)
        queue++;
    pthread_mutex_unlock(&spin);
}
