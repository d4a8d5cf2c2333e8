// verdict: violated race
// states: 17
// exeunt: --races
// Readers are not ordered among themselves, not even one behind the other.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *work(void *unused) {
    pthread_rwlock_rdlock(&lock);
    x++; //~ error
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_rwlock_rdlock(&lock);
    x++; //~ error
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
// optimised
