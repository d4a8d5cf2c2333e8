// verdict: holds
/* A thread that creates a thread and leaves it to main. */
#include <assert.h>
#include <pthread.h>
static pthread_t inner;
static int done;
static void *deep(void *a) {
    done = 1;
    return a;
}
static void *work(void *a) {
    pthread_create(&inner, 0, deep, 0);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(inner, 0);
    assert(done);
    return 0;
}
