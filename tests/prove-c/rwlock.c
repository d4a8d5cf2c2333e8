// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int n;

void t(void) {
    pthread_rwlock_wrlock(&l);
    while (n > 0)
        n--;
    pthread_rwlock_unlock(&l);
}

void e(void) {
    pthread_rwlock_wrlock(&l);
    n = nondet();
    pthread_rwlock_unlock(&l);
}
