// verdict: violated section
// states: 11
// An endless loop with an assertion in it is not meant to be left: the report is about the join.
#include <assert.h>
#include <pthread.h>

static volatile int level;

static void *watch(void *unused) {
    for (;;)
        assert(level < 2);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
    level = 1;
    pthread_join(thread, 0); //~ error
}
