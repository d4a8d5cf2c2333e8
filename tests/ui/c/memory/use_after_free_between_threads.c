// verdict: violated memory
// states: 18
// One thread frees what another one still reads.
#include <pthread.h>
#include <stdlib.h>

static volatile int *cell;

static void *reader(void *unused) {
    int value = *cell; //~ error
    (void)value;
    return unused;
}

int main(void) {
    cell = malloc(sizeof *cell);
    if (!cell)
        return 1;
    *cell = 1;
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    free((void *)cell);
    pthread_join(thread, 0);
    return 0;
}
