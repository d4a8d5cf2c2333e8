// verdict: violated misuse
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A normal mutex is given back by a thread that does not hold it. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) { pthread_mutex_unlock(&m); return arg; }
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
