/* Ends with 7 if the thread is quicker than main. */
#include <pthread.h>
#include <stdlib.h>

static volatile int ready;

static void *look(void *unused) {
    if (!ready) exit(7);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    ready = 1;
    pthread_join(thread, 0);
    return 0;
}
