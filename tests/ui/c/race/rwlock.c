// verdict: holds
// states: 681
// exeunt: --races
// A writer is ordered with readers and writers.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int seen = x;
    pthread_rwlock_unlock(&lock);
    return seen ? unused : 0;
}

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, writer, 0);
    writer(0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return x - 2;
}
// optimised
