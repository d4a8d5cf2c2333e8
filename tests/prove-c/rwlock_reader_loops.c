// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int n;

void t(void) {
    pthread_rwlock_rdlock(&l);
    for (int i = 0; i < n; i++)
        ;
    pthread_rwlock_unlock(&l);
}

void e(void) {
    pthread_rwlock_wrlock(&l);
    n = nondet();
    pthread_rwlock_unlock(&l);
}
