// verdict: violated memory
// states: 14
// A thread uses the stack of a thread that has ended.
#include <pthread.h>

static volatile int *volatile shared;

static void *owner(void *unused) {
    volatile int local = 5;
    shared = &local;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, owner, 0);
    pthread_join(thread, 0);
    return *shared - 5; //~ error
}
