// verdict: holds
// states: 21
// exeunt: --races
// So are functions that run without interruption.
#include <pthread.h>

static int x;

static void __VERIFIER_atomic_add(int n) {
    x += n;
}

static void *work(void *unused) {
    __VERIFIER_atomic_add(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __VERIFIER_atomic_add(2);
    pthread_join(thread, 0);
    return x - 3;
}
// optimised
