// verdict: holds
// options: --thread cancel_all --env 'cancel_all*,read_request*'
#include <pthread.h>
int nondet(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int length; // of the queue of requests
int cancelled;

static int dequeue(void) {
    if (length <= 0)
        return 0;
    length--;
    return 1;
}

void cancel_all(void) {
    int irp;
    pthread_mutex_lock(&m);
    do {
        irp = dequeue();
        if (irp)
            cancelled++;
    } while (irp);
    pthread_mutex_unlock(&m);
}

void read_request(void) {
    pthread_mutex_lock(&m);
    if (length < 1000)
        length++;
    pthread_mutex_unlock(&m);
}
