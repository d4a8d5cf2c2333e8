// verdict: holds
// states: 44
// exeunt: --races
// Spin locks.
#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *work(void *unused) {
    pthread_spin_lock(&lock);
    x++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_spin_init(&lock, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_spin_lock(&lock);
    x++;
    pthread_spin_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
// optimised
