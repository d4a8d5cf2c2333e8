// verdict: violated deadlock
// states: 12
// The wait gives back the inner mutex and keeps the outer one, which the other
// thread needs on its way to the signal.
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *put(void *unused) {
    pthread_mutex_lock(&outer); //~ error
    pthread_mutex_lock(&inner);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, put, 0);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    while (items == 0)
        pthread_cond_wait(&filled, &inner); //~ error
    items--;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(thread, 0);
    return 0;
}
