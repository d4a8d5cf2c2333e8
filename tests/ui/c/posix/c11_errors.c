// verdict: holds
// states: 110
// exeunt: --no-spurious
// native
// What C11's threads return.
#include <stdio.h>
#include <threads.h>
#include <time.h>

mtx_t m, r;
cnd_t c;
struct timespec past, bad = {0, 1000000000};

int other(void *unused)
{
    printf("%d\n", mtx_trylock(&m) == thrd_busy);
    printf("%d\n", mtx_timedlock(&m, &past) == thrd_timedout);
    printf("%d\n", mtx_timedlock(&m, &bad) == thrd_error);
    return 7;
}

int main(void)
{
    thrd_t t;
    int result;
    printf("%d\n", mtx_init(&m, mtx_timed) == thrd_success);
    printf("%d\n", mtx_init(&r, mtx_recursive) == thrd_success);
    printf("%d\n", cnd_init(&c) == thrd_success);
    printf("%d\n", mtx_lock(&m) == thrd_success);
    printf("%d\n", mtx_trylock(&m) == thrd_busy);
    printf("%d\n", mtx_lock(&r) == thrd_success);
    printf("%d\n", mtx_trylock(&r) == thrd_success);
    printf("%d\n", thrd_create(&t, other, 0) == thrd_success);
    printf("%d\n", thrd_join(t, &result) == thrd_success);
    printf("%d\n", result);
    printf("%d\n", cnd_timedwait(&c, &m, &past) == thrd_timedout);
    printf("%d\n", cnd_timedwait(&c, &m, &bad) == thrd_error);
    printf("%d\n", cnd_signal(&c) == thrd_success);
    printf("%d\n", cnd_broadcast(&c) == thrd_success);
    printf("%d %d\n", mtx_unlock(&m) == thrd_success, mtx_unlock(&r) == thrd_success);
    printf("%d\n", mtx_unlock(&r) == thrd_success);
    printf("%d\n", mtx_unlock(&r) == thrd_error);
    printf("%d\n", thrd_sleep(&past, 0));
    printf("%d\n", thrd_sleep(&bad, 0) < 0);
    cnd_destroy(&c);
    mtx_destroy(&m);
    mtx_destroy(&r);
}
// optimised
