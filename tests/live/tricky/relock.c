// verdict: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A normal mutex that its owner locks again: also with one thread only. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}
