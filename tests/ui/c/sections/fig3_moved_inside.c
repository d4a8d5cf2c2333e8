// verdict: holds
// states: 67
// Štill and Barnat, Fig. 3: the repair of Fig. 2. Each thread can starve the other on
// a lasso that even weak fairness allows (Fig. 4), but no end is ever
// unreachable, and the program need not end.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int work, other_work;

static void *thread0(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        work ^= 1;
        pthread_mutex_unlock(&m);
    }
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
