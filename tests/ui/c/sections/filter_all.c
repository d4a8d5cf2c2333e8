// verdict: violated section
// states: 78
// exeunt: --all --sections all
// All three sections that do not end are reported, each once.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ticks;

static void *hold(void *unused) {
    pthread_mutex_lock(&mutex); //~ error
    for (;;)
        ticks ^= 1;
    return unused;
}

static void *wait_for_it(void *unused) {
    pthread_mutex_lock(&mutex); //~ error
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t h, w;
    pthread_create(&h, 0, hold, 0);
    pthread_create(&w, 0, wait_for_it, 0);
    pthread_join(w, 0); //~ error
    return 0;
}
