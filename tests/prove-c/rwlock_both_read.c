// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int n = 2;

void t(void) {
    pthread_rwlock_rdlock(&l);
    while (n > 0)
        n--;
    pthread_rwlock_unlock(&l);
}

void e(void) {
    pthread_rwlock_rdlock(&l);
    n = 2;
    pthread_rwlock_unlock(&l);
}
