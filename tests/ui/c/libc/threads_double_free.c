// verdict: violated memory
// states: 56
// Both threads see the pointer before one of them clears it.
#include <pthread.h>
#include <stdlib.h>

static char *volatile p;

static void *release(void *argument) {
    if (p) {
        free(p); //~ error
        p = NULL;
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    p = malloc(4);
    pthread_create(&thread, NULL, release, NULL);
    release(NULL);
    pthread_join(thread, NULL);
    return 0;
}
