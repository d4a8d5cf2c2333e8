// verdict: holds
// states: 937
// Peterson's algorithm: whoever waits can always still get in.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *work(void *arg) {
    long me = (long)arg, other = 1 - me;
    for (;;) {
        wants[me] = 1;
        turn = other;
        exeunt_wait_begin("my turn");
        while (wants[other] && turn == other) {
        }
        exeunt_wait_end("my turn");
        exeunt_section_begin("inside", &inside);
        assert(inside++ == 0);
        inside--;
        exeunt_section_end("inside", &inside);
        wants[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)1);
    work(0);
}
