// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
pthread_spinlock_t l;
int n;

void t(void) {
    pthread_spin_lock(&l);
    while (n > 0)
        n--;
    pthread_spin_unlock(&l);
}

void e(void) {
    pthread_spin_lock(&l);
    n = nondet();
    pthread_spin_unlock(&l);
}
