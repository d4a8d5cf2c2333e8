// verdict: violated section
// states: 37
// exeunt: --all
// Štill and Barnat, Fig. 2: the endless loop is inside the critical section, so that
// is never left, and whoever comes to wait for the mutex waits for ever.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int work, other_work;

static void *thread0(void *unused) {
    pthread_mutex_lock(&m); //~ error
    for (;;)
        work ^= 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, thread0, 0);
    for (;;) {
        pthread_mutex_lock(&m); //~ error
        other_work ^= 1;
        pthread_mutex_unlock(&m);
    }
}
