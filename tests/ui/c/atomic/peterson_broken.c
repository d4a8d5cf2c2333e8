// verdict: violated assertion
// states: 617
// Peterson's algorithm with the turn given too early.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static volatile int inside;

static void *visit(void *number) {
    long me = (long)number;
    turn = 1 - me;
    wants[me] = 1;
    while (wants[1 - me] && turn == 1 - me) {
    }
    inside++;
    assert(inside == 1); //~ error
    inside--;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, visit, (void *)1);
    visit((void *)0);
    pthread_join(thread, 0);
    return 0;
}
