// verdict: holds
// states: 123
// Nobody meets a block that is only touched under a lock: one step.
#include <assert.h>
#include <pthread.h>

struct quad {
    long a, b, c, d;
} shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *arg) {
    struct quad ones = {1, 1, 1, 1};
    pthread_mutex_lock(&lock);
    shared = ones;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&lock);
    struct quad copy = shared;
    pthread_mutex_unlock(&lock);
    assert(copy.a == copy.d);
    pthread_join(thread, 0);
}
// optimised
