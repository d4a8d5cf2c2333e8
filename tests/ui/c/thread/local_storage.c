// verdict: holds
// states: 26
// Each thread has its own copy.
#include <assert.h>
#include <pthread.h>

static _Thread_local int own = 1;

static void *change(void *unused) {
    assert(own == 1);
    own = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    pthread_join(thread, 0);
    assert(own == 1);
    return 0;
}
