// verdict: violated ltl
// states: 1716
// exeunt: --property temporal --ltl 'G (want[0] -> F inside[0])'
// An unfair scheduler lets the other one go round for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int want[2], turn;
static atomic_int inside[2];

static void *process(void *number) {
    int me = number != 0;
    for (;;) {
        want[me] = 1;
        turn = 1 - me;
        while (want[1 - me] && turn != me) {
        }
        inside[me] = 1;
        inside[me] = 0;
        want[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, process, 0);
    pthread_create(&second, 0, process, &second);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
