// verdict: holds
// states: 63
// A thread is cancelled at a cancellation point, and its cleanup runs.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static volatile int cleaned;

static void clean(void *unused) {
    cleaned = 1;
}

static void *wait_for_ever(void *unused) {
    pthread_cleanup_push(clean, 0);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, wait_for_ever, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    assert(cleaned == 1);
    return 0;
}
