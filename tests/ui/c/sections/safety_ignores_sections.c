// verdict: holds
// states: 37
// exeunt: --property safety
// Štill and Barnat, Fig. 2, asked for safety only: nothing is ever wrong, it just
// never ends.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int work, other_work;

static void *thread0(void *unused) {
    pthread_mutex_lock(&m);
    for (;;)
        work ^= 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, thread0, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        other_work ^= 1;
        pthread_mutex_unlock(&m);
    }
}
