// verdict: violated section
// states: 11
// Looking at a variable under a mutex is waiting for the variable.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *poll(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex); //~ error
        int seen = done;
        pthread_mutex_unlock(&mutex);
        if (seen)
            break;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, poll, 0);
    for (;;) {
    }
}
