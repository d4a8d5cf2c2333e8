// verdict: holds
// states: 808
// The same with a variable that a third thread toggles instead of an input:
// that is a matter of scheduling, and the scheduler is fair.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, coin;

static void *other(void *unused) {
    for (;;)
        if (coin)
            go = 1;
    return unused;
}

static void *toggle(void *unused) {
    for (;;)
        coin ^= 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, other, 0);
    pthread_create(&b, 0, toggle, 0);
    exeunt_wait_begin("the word");
    while (!go) {
    }
    exeunt_wait_end("the word");
    return 0;
}
