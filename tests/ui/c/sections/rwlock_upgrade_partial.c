// verdict: violated section
// states: 15
// exeunt: --all --sections rwlock-wait
// Who holds the read lock and asks for the write lock waits for itself.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int ticks;

static void *upgrade(void *unused) {
    pthread_rwlock_rdlock(&lock);
    if (pthread_rwlock_wrlock(&lock) == 0) //~ error
        pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, upgrade, 0);
    for (;;)
        ticks ^= 1;
}
