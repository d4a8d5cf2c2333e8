// verdict: holds
// states: 57
// An upgrade that only tries, and gives the read lock back if it fails.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int ticks;

static void *upgrade(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int failed = pthread_rwlock_trywrlock(&lock);
    pthread_rwlock_unlock(&lock);
    if (failed) {
        pthread_rwlock_wrlock(&lock);
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, upgrade, 0);
    for (;;)
        ticks ^= 1;
}
