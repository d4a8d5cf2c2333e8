// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* exit() ends the program while another thread waits for ever. */
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    exit(0);
}
