// verdict: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A thread ends by pthread_exit inside of its critical section. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    pthread_exit(arg);
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
