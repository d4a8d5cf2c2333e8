/* The end of main is the end of all. The work must be done when the program ends. */
#include <assert.h>
#include <pthread.h>
static int done;
static void *work(void *arg) {
    done = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(done);
    return 0;
}
