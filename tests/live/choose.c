/* A thread chooses from four values, and only the last one is wrong. */
#include "exeunt.h"
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *arg) {
    int mine = exeunt_choose(4);
    pthread_mutex_lock(&m);
    sum += mine;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(sum <= LARGEST);
    return 0;
}
