// verdict: violated race
// states: 9
// exeunt: --races
// Who does not call `pthread_once` knows nothing.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x;

static void initialise(void) {
    x = 1; //~ error
}

static void *work(void *unused) {
    pthread_once(&once, initialise);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int seen = x; //~ error
    pthread_join(thread, 0);
    return seen - seen;
}
