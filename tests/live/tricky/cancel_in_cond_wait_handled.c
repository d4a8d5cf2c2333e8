// verdict: holds
// check: violated assertion, because there a wait may end without a signal
/* The same with a handler that unlocks. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void give_back(void *mutex) {
    pthread_mutex_unlock(mutex);
}
static void *work(void *a) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(give_back, &m);
    pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return a;
}
int main(void) {
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
