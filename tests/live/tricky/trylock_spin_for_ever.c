// verdict: violated section
// options: --max-depth 60
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* The owner has ended: the spinning thread never gets the mutex. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    while (pthread_mutex_trylock(&m)) { }
    pthread_mutex_unlock(&m);
    return arg;
}
static void *forget(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, forget, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
