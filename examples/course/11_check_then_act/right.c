/* A test that is out of date. Two threads draw from an account with 10 in it, each 10. It must not become negative. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int money = 10;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    if (money >= 10)
        money -= 10;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(money >= 0);
    return 0;
}
