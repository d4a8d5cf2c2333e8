// verdict: violated assertion
// states: 24
// exeunt: --property safety
// A section that never ends and an assertion that fails: the latter counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int work;

static void *hold(void *unused) {
    pthread_mutex_lock(&m);
    for (;;)
        work ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, hold, 0);
    for (;;)
        assert(work == 0); //~ error
}
