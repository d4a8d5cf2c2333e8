// verdict: violated race
// states: 17
// exeunt: --races
// Two different mutexes order nothing.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    pthread_mutex_lock(&a);
    x++; //~ error
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&b);
    x++; //~ error
    pthread_mutex_unlock(&b);
    pthread_join(thread, 0);
    return 0;
}
// optimised
