// verdict: holds
// states: 1863
// exeunt: --property temporal --fair --ltl 'G !(inside[0] && inside[1])'
// exeunt: --ltl 'always (want[0] -> eventually inside[0])' --ltl '[] (want[1] -> <> inside[1])'
// Peterson's algorithm excludes, and with a fair scheduler nobody starves.
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
