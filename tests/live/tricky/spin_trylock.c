// verdict: holds
/* A spin lock that is tried. */
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t l;
static int n;
static void *work(void *a) {
    if (pthread_spin_trylock(&l) == 0) {
        n++;
        pthread_spin_unlock(&l);
    }
    return a;
}
int main(void) {
    pthread_t t;
    pthread_spin_init(&l, 0);
    pthread_create(&t, 0, work, 0);
    pthread_spin_lock(&l);
    n++;
    pthread_spin_unlock(&l);
    pthread_join(t, 0);
    assert(n == 1 || n == 2);
    return 0;
}
