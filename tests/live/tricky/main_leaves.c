// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* The main thread ends first, by pthread_exit; the others go on. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    done++;
    pthread_mutex_unlock(&m);
    pthread_exit(arg);
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_create(&t, 0, work, 0);
    pthread_exit(0);
}
