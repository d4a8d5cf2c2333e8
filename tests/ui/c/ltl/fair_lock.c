// verdict: violated ltl
// states: 47
// exeunt: --fair --sections none --ltl 'F done == 1'
// The scheduler leaves nobody out who could always move. A thread that waits for a mutex cannot always move: each
// time the other one holds it. So it may wait for ever, and a reduction must not hide that the mutex is held.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, done;

static void *visit(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        count = 1 - count;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t visitor;
    pthread_create(&visitor, 0, visit, 0);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(visitor, 0);
    return 0;
}
