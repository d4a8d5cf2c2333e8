// verdict: violated section
// states: 39
// exeunt: --all
// C11 threads: one thread ends with the mutex, the other waits for it.
#include <stdatomic.h>
#include <threads.h>

static mtx_t mutex;
static atomic_int ticks;

static int keep(void *unused) {
    return mtx_lock(&mutex); //~ error
}

int main(void) {
    thrd_t a, b;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&a, keep, 0);
    thrd_create(&b, keep, 0);
    for (;;)
        ticks ^= 1;
}
