// verdict: holds
/* <threads.h>: a timed mutex and a timed wait. */
#include <threads.h>
#include <time.h>
static mtx_t m;
static cnd_t c;
static int ready;
static int work(void *a) {
    (void)a;
    struct timespec until = {1, 0};
    if (mtx_timedlock(&m, &until) == thrd_success) {
        ready = 1;
        cnd_signal(&c);
        mtx_unlock(&m);
    }
    return 0;
}
int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_timed);
    cnd_init(&c);
    thrd_create(&t, work, 0);
    mtx_lock(&m);
    struct timespec until = {1, 0};
    int code = thrd_success;
    while (!ready && code == thrd_success) code = cnd_timedwait(&c, &m, &until);
    mtx_unlock(&m);
    thrd_join(t, 0);
    return 0;
}
