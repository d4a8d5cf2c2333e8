// verdict: holds
// states: 15
// exeunt: --context-bound auto
// reductions: none global tau
// Two threads that run for ever can always be interrupted once more. When that
// leads to no new state all of them are known.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *toggle(void *unused) {
    for (;;)
        atomic_fetch_xor(&x, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, toggle, 0);
    toggle(0);
}
