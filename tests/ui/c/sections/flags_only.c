// verdict: violated section
// states: 235
// exeunt: --all
// Peterson's algorithm without the turn: both raise their flag, and each waits
// for the other one to lower it.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void *work(void *arg) {
    long me = (long)arg, other = 1 - me;
    for (;;) {
        wants[me] = 1;
        exeunt_wait_begin("the other flag"); //~ error
        while (wants[other]) {
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
