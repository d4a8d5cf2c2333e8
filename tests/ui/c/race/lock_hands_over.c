// verdict: holds
// states: 56
// exeunt: --races
// A flag that a mutex protects tells whose turn it is.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int x, ready;

static void *work(void *unused) {
    x = 1;
    pthread_mutex_lock(&a);
    ready = 1;
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&a);
    int seen = ready;
    pthread_mutex_unlock(&a);
    if (seen)
        x = 2;
    pthread_join(thread, 0);
    return 0;
}
// optimised
