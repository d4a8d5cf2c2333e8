// verdict: violated misuse
// states: 6
// Only the owner may unlock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *thief(void *unused) {
    pthread_mutex_unlock(&mutex); //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, thief, 0);
    pthread_join(thread, 0);
    return 0;
}
