// verdict: holds
// options: --thread io_control --env 'io_control*,read_request*'
#include <pthread.h>

pthread_mutex_t spin = PTHREAD_MUTEX_INITIALIZER;
int queue; // length of devExt->ReadQueue
int completed;

void io_control(void) {
    int mine = 0; // length of the new list
    pthread_mutex_lock(&spin);
    while (queue > 0) {
        queue--;
        mine++;
    }
    pthread_mutex_unlock(&spin);
    while (mine > 0) {
        mine--;
        completed = 1;
    }
}

void read_request(void) {
    pthread_mutex_lock(&spin);
    if (queue < 1000)
        queue++;
    pthread_mutex_unlock(&spin);
}
