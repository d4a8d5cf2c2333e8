// verdict: violated section
// states: 130
// exeunt: --all
// The waiting thread is let go when another one, running for ever, gets the
// right input. It is the input that is not fair, whichever thread asks for it.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;

static void *other(void *unused) {
    for (;;)
        if (exeunt_choose(2))
            go = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    exeunt_wait_begin("the word"); //~ error
    while (!go) {
    }
    exeunt_wait_end("the word");
    return 0;
}
