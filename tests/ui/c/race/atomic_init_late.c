// verdict: violated race
// states: 7
// exeunt: --races
// atomic_init is no atomic operation.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *unused) {
    int seen = x; //~ error
    return seen ? unused : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    atomic_init(&x, 2); //~ error
    pthread_join(thread, 0);
    return 0;
}
// optimised
