// verdict: violated race
// states: 32
// exeunt: --races
// That a lock could not be taken orders nothing, and the two are never
// about to access `x` at the same time.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    x = 1; //~ error
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (pthread_mutex_trylock(&a) != 0)
        x = 2; //~ error
    else
        pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    return 0;
}
