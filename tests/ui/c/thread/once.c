// verdict: holds
// states: 68
// The initialisation runs exactly once.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int runs;

static void initialise(void) {
    runs++;
}

static void *work(void *unused) {
    pthread_once(&once, initialise);
    assert(runs == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
