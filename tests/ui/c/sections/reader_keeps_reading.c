// verdict: violated section
// states: 77
// exeunt: --all
// One reader never gives its lock back. Other readers come and go; the writer
// waits for ever.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int work;

static void *subscribe(void *unused) {
    pthread_rwlock_rdlock(&lock); //~ error
    for (;;)
        work ^= 1;
    return unused;
}

static void *write_once(void *unused) {
    pthread_rwlock_wrlock(&lock); //~ error
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t reader, writer;
    pthread_create(&reader, 0, subscribe, 0);
    pthread_create(&writer, 0, write_once, 0);
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_unlock(&lock);
    }
}
