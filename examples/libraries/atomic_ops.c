// A reference count with libatomic_ops (package libatomic-ops-dev).
// BUG: the count is read again instead of looking at what the decrement found.
#include <assert.h>
#include <atomic_ops.h>
#include <pthread.h>

static volatile AO_t count = 2;
static volatile AO_t freed;

static void *release(void *unused) {
#ifdef BUG
    AO_fetch_and_sub1_full(&count);
    if (AO_load_acquire(&count) == 0) AO_fetch_and_add1(&freed);
#else
    if (AO_fetch_and_sub1_full(&count) == 1) AO_fetch_and_add1(&freed);
#endif
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, release, 0);
    release(0);
    pthread_join(t, 0);
    assert(AO_load(&freed) == 1);
}
