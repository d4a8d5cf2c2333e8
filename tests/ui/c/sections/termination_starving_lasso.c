// verdict: holds
// states: 52
// exeunt: --property termination
// The loop can go on for ever, but at no point is it bound to.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *toggle(void *unused) {
    for (;;)
        turn ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, toggle, 0);
    while (turn == 0) {
    }
    return 0;
}
