// verdict: violated race
// states: 21
// exeunt: --races
// A wait that ends without a signal orders nothing.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x;

static void *work(void *unused) {
    x = 1; //~ error
    pthread_cond_signal(&c);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&m);
    struct timespec soon = {0, 0};
    pthread_cond_timedwait(&c, &m, &soon);
    pthread_mutex_unlock(&m);
    x = 2; //~ error
    pthread_join(thread, 0);
    return 0;
}
