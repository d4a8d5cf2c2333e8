// verdict: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* Two readers that both want to write wait for each other. */
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *work(void *arg) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
