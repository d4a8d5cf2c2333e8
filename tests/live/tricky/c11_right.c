// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* Recursive and timed mutexes, call_once and thread-specific storage of C11. */
#include <threads.h>
#include <time.h>
static mtx_t m;
static once_flag once = ONCE_FLAG_INIT;
static int made, sum;
static void make(void) { made++; }
static int work(void *arg) {
    call_once(&once, make);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_trylock(&m) == thrd_success);
    sum += made;
    mtx_unlock(&m);
    mtx_unlock(&m);
    return arg == 0 ? 3 : 4;
}
int main(void) {
    thrd_t t;
    int code;
    mtx_init(&m, mtx_recursive);
    thrd_create(&t, work, 0);
    assert(work(&m) == 4);
    thrd_join(t, &code);
    assert(code == 3 && made == 1 && sum == 2);
    return 0;
}
