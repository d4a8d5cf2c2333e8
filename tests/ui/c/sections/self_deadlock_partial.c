// verdict: violated section
// states: 21
// exeunt: --all
// A thread locks what it already holds. Main notices nothing.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ticks;

static int size(void) {
    pthread_mutex_lock(&mutex); //~ error
    pthread_mutex_unlock(&mutex);
    return 1;
}

static void *print(void *unused) {
    pthread_mutex_lock(&mutex); //~ error
    size();
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, print, 0);
    for (;;)
        ticks ^= 1;
}
