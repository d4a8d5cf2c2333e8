// verdict: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* The deadly embrace with spin locks: nothing spins for ever unseen. */
static pthread_spinlock_t a, b;
static void *work(void *arg) {
    pthread_spin_lock(&b);
    pthread_spin_lock(&a);
    pthread_spin_unlock(&a);
    pthread_spin_unlock(&b);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_spin_init(&a, 0);
    pthread_spin_init(&b, 0);
    pthread_create(&t, 0, work, 0);
    pthread_spin_lock(&a);
    pthread_spin_lock(&b);
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
    pthread_join(t, 0);
    return 0;
}
