/* From reading to writing. A reader that finds something to do becomes a writer. */
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int n;
static void *work(void *arg) {
    pthread_rwlock_rdlock(&l);
    if (n == 0) {
        pthread_rwlock_wrlock(&l);
        n = 1;
        pthread_rwlock_unlock(&l);
    }
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
