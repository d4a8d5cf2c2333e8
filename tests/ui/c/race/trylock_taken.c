// verdict: holds
// states: 53
// exeunt: --races
// Whoever gets the lock is ordered behind those who had it.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    pthread_mutex_lock(&a);
    x = 1;
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (pthread_mutex_trylock(&a) == 0) {
        x = 2;
        pthread_mutex_unlock(&a);
    }
    pthread_join(thread, 0);
    return 0;
}
// optimised
