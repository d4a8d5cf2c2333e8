/* A counter that loses updates. Two threads each add one to a counter. Make the sum two, in every schedule. */
#include <assert.h>
#include <pthread.h>
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(count == 2);
    return 0;
}
