// verdict: holds
// states: 157
// Whichever way the input goes, one of the two threads unlocks the turnstile.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int open_left, open_right;

static void *left(void *unused) {
    while (!open_left) {
    }
    open_right = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, left, 0);
    exeunt_wait_begin("the turnstile");
    if (exeunt_choose(2))
        open_left = 1;
    else
        open_right = 1;
    while (!open_right) {
    }
    exeunt_wait_end("the turnstile");
    return 0;
}
