// verdict: violated ltl
// states: 268
// exeunt: --property temporal --fair --ltl 'G (at(2, work:again) -> F at(2, work:out))'
// exeunt: --ltl 'G !(at(2, work:critical) && at(3, work:critical))'
// Labels are places: the critical section excludes, but who tries again need not get through.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static volatile int visits;

static void *work(void *unused) {
    for (;;) {
    again:
        if (atomic_flag_test_and_set(&busy))
            goto again;
    critical:
        visits = 0;
        atomic_flag_clear(&busy);
    out:
        visits = 1;
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
// optimised
