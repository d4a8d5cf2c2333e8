// verdict: holds
// states: 20
// exeunt: --sections mutex-wait
// C11 threads: a wait with a time-out ends although the mutex is never free.
#include <threads.h>
#include <time.h>

static mtx_t mutex;

static int keep(void *unused) {
    mtx_lock(&mutex);
    for (;;)
        thrd_yield();
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec soon = {0};
    mtx_init(&mutex, mtx_timed);
    thrd_create(&thread, keep, 0);
    for (;;)
        if (mtx_timedlock(&mutex, &soon) == thrd_success)
            mtx_unlock(&mutex);
}
