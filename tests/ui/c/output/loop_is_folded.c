// verdict: violated assertion
// states: 164
// A long loop is folded in the schedule.
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *work(void *unused) {
    for (int i = 0; i < 30; i++)
        x = i;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(x == 30); //~ error
    return 0;
}
