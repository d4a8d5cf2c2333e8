// verdict: holds
// states: 59
// C11 threads: a recursive mutex and call_once.
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t mutex;

static void init(void) {
    mtx_init(&mutex, mtx_plain | mtx_recursive);
}

static int work(void *unused) {
    call_once(&once, init);
    for (;;) {
        mtx_lock(&mutex);
        mtx_lock(&mutex);
        mtx_unlock(&mutex);
        mtx_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, work, 0);
    return work(0);
}
