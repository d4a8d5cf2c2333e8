// verdict: holds
// states: 33
// A thread whose next step is assumed away is not stuck in its section, even
// if another one could run for ever: the scheduler lets it take that step, and
// that run does not count.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks;

static void *work(void *unused) {
    exeunt_section_begin("work", &ticks);
    int seen = ticks;
    exeunt_assume(seen == 2);
    exeunt_section_end("work", &ticks);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    for (;;)
        ticks ^= 1;
}
