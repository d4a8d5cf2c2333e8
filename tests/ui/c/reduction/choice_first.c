// verdict: holds
// states: 55
// The environment guesses before the other thread has its say, and so cannot
// always guess right: the section ends. If the guess and the look were one
// step it could.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int order;

static void *toggle(void *unused) {
    for (;;)
        atomic_fetch_xor(&order, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, toggle, 0);
    for (;;) {
        exeunt_wait_begin("a wrong guess");
        while (exeunt_choose(2) == order) {
        }
        exeunt_wait_end("a wrong guess");
    }
}
