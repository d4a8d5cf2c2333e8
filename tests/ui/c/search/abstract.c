// verdict: holds
// states: any
// exeunt: --abstract protocol
// Of all data only the two flags and the turn are compared; how often each
// thread was inside does not matter.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>

static volatile int wants[2], turn, inside;
static unsigned long entered[2];

void protocol(void) {
    exeunt_match((const void *)wants, sizeof wants);
    exeunt_match_value(turn);
    exeunt_match_value(inside);
}

static void *work(void *number) {
    long me = (long)number;
    for (;;) {
        wants[me] = 1;
        turn = 1 - me;
        while (wants[1 - me] && turn == 1 - me) {
        }
        assert(++inside == 1);
        entered[me]++;
        inside--;
        wants[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)1);
    work((void *)0);
}
