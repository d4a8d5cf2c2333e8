// verdict: holds
// states: 112
// Whoever comes second waits until the first one has initialised.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int ready;

static void init(void) {
    ready = 1;
}

static void *use(void *unused) {
    pthread_once(&once, init);
    assert(ready == 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
