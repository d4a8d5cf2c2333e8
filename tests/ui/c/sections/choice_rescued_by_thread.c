// verdict: holds
// states: 51
// A retry loop on inputs alone would be stuck, but another thread sets the
// flag that also ends it, and the scheduler lets that thread run.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cancelled;

static void *cancel(void *unused) {
    cancelled = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, cancel, 0);
    exeunt_section_begin("connect", 0);
    while (!cancelled && exeunt_choose(2) == 0) {
    }
    exeunt_section_end("connect", 0);
    return 0;
}
