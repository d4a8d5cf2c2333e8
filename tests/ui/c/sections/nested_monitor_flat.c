// verdict: holds
// states: 49
// One mutex, and the wait gives it back.
#include <pthread.h>

static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *put(void *unused) {
    pthread_mutex_lock(&inner);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&inner);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, put, 0);
    pthread_mutex_lock(&inner);
    while (items == 0)
        pthread_cond_wait(&filled, &inner);
    items--;
    pthread_mutex_unlock(&inner);
    pthread_join(thread, 0);
    return 0;
}
