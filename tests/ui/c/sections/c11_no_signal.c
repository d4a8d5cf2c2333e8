// verdict: violated section
// states: 196
// exeunt: --all --sections cond-wait,join
// C11 threads: the consumer never says that there is room again, and main,
// which ticks on behind the joiner's back, does not either.
#include <stdatomic.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int full = 1;
static atomic_int ticks;

static int produce(void *unused) {
    mtx_lock(&mutex);
    while (full)
        cnd_wait(&changed, &mutex); //~ error
    full = 1;
    mtx_unlock(&mutex);
    return 0;
}

static int joiner(void *unused) {
    thrd_t thread;
    thrd_create(&thread, produce, 0);
    return thrd_join(thread, 0); //~ error
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, joiner, 0);
    mtx_lock(&mutex);
    full = 0;
    mtx_unlock(&mutex);
    for (;;)
        ticks ^= 1;
}
