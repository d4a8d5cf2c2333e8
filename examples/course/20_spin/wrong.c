/* A wait that never ends. A thread waits in a loop for a flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop;
static void *work(void *arg) {
    while (!stop)
        ;
    return arg;
}
static void *other(void *arg) {
    if (stop)
        stop = 1;
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, other, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
