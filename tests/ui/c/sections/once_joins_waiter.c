// verdict: violated deadlock
// states: 6
// The initialisation waits for the end of a thread that waits for the
// initialisation.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void);

static void *use(void *unused) {
    pthread_once(&once, init); //~ error
    return unused;
}

static void init(void) {
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    pthread_join(thread, 0); //~ error
}

int main(void) {
    pthread_once(&once, init); //~ error
    return 0;
}
