// verdict: violated race
// states: 26
// exeunt: --races
// The lock is given back before the access.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    x = 1; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&a);
    x = 2; //~ error
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    return 0;
}
