// verdict: holds
// states: 18
// pthread_exit from a nested call.
#include <assert.h>
#include <pthread.h>

static void leave(void) {
    pthread_exit((void *)5);
}

static void *work(void *unused) {
    leave();
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &result);
    assert(result == (void *)5);
    return 0;
}
