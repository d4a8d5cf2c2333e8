// verdict: holds
// states: 106
// C11 threads: a value is handed over under a mutex and a condition, for ever.
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int full;

static int produce(void *unused) {
    for (;;) {
        mtx_lock(&mutex);
        while (full)
            cnd_wait(&changed, &mutex);
        full = 1;
        cnd_signal(&changed);
        mtx_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, produce, 0);
    for (;;) {
        mtx_lock(&mutex);
        while (!full)
            cnd_wait(&changed, &mutex);
        full = 0;
        cnd_signal(&changed);
        mtx_unlock(&mutex);
    }
}
