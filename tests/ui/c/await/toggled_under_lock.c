// verdict: holds
// states: 167
// The variable changes again and again, so the loop can always be left.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *poll(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
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
        pthread_mutex_lock(&mutex);
        done ^= 1;
        pthread_mutex_unlock(&mutex);
    }
}
