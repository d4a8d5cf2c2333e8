// verdict: violated deadlock
// states: 19
// Two readers want to write.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both_read;

static void *upgrade(void *unused) {
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&both_read);
    pthread_rwlock_wrlock(&lock); //~ error
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&both_read, 0, 2);
    pthread_create(&a, 0, upgrade, 0);
    pthread_create(&b, 0, upgrade, 0);
    pthread_join(a, 0); //~ error
    pthread_join(b, 0); //~ error
    return 0;
}
