// verdict: holds
// states: 62
// exeunt: --races
// The mutexes of C11.
#include <threads.h>

static mtx_t m;
static int x;

static int work(void *unused) {
    mtx_lock(&m);
    x++;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&m, mtx_plain);
    thrd_create(&thread, work, 0);
    work(0);
    thrd_join(thread, 0);
    return x - 2;
}
// optimised
