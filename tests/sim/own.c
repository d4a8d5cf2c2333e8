/* A thread-local variable, of which both threads have one. */
#include <pthread.h>

static _Thread_local int mine = 100;
static volatile int seen;

static void *other(void *unused) {
    mine += 7;
    seen = mine;
    seen = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    seen = mine;
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    return 0;
}
