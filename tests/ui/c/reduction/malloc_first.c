// verdict: holds
// states: 159
// exeunt: --malloc-fails
// As choice_first.c with an allocation that may fail, in a thread that begins
// with it: nothing that others could see comes before.
#include <pthread.h>
#include <exeunt.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int order;

static void *toggle(void *unused) {
    for (;;)
        atomic_fetch_xor(&order, 1);
    return 0;
}

EXEUNT_MUST_RETURN static void guess(void) {
    for (;;) {
        char *block = malloc(1);
        int got = block != 0;
        free(block);
        if (got != order)
            return;
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, toggle, 0);
    for (;;)
        guess();
}
