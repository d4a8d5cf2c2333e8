// verdict: violated ltl
// states: 24
// exeunt: --property temporal --fair --ltl 'G (open(2, mutex-wait, mutex) -> F open(2, critical, mutex))'
// A mutex need not be fair: the other thread may take it again and again,
// even if the scheduler leaves nobody out who could always move.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *visit(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, visit, 0);
    pthread_create(&two, 0, visit, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
