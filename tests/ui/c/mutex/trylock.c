// verdict: holds
// states: 151
// trylock never blocks.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *try(void *unused) {
    int answer = pthread_mutex_trylock(&mutex);
    assert(answer == 0 || answer == EBUSY);
    if (answer == 0)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, try, 0);
    try(0);
    pthread_join(thread, 0);
    return 0;
}
