/* A way out that keeps the lock. A thread leaves early if there is nothing to do. The lock must be free afterwards. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int work_left;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    if (work_left)
        work_left--;
    pthread_mutex_unlock(&m);
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
