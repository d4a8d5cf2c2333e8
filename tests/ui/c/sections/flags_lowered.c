// verdict: holds
// states: 363
// Without the turn, but each lowers its flag before it tries again. After you;
// no, after you: that can go on for ever, but need not.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void *work(void *arg) {
    long me = (long)arg, other = 1 - me;
    for (;;) {
        exeunt_wait_begin("the other flag");
        wants[me] = 1;
        while (wants[other]) {
            wants[me] = 0;
            wants[me] = 1;
        }
        exeunt_wait_end("the other flag");
        wants[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)1);
    work(0);
}
