// verdict: violated deadlock
/* The holder of a C11 mutex ends without giving it back. */
#include <threads.h>
static mtx_t m;
static int work(void *a) {
    (void)a;
    mtx_lock(&m);
    return 0;
}
int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, work, 0);
    thrd_join(t, 0);
    mtx_lock(&m);
    return 0;
}
