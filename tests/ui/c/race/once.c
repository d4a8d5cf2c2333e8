// verdict: holds
// states: 158
// exeunt: --races
// Everybody who passes a `pthread_once` knows what its routine did.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x;

static void initialise(void) {
    x = 1;
}

static void *work(void *unused) {
    pthread_once(&once, initialise);
    return x ? unused : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
// optimised
