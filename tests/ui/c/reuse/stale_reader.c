// verdict: violated memory
// states: any
// exeunt: --all
// A reader with a stale pointer may see the block that came to the same address, before anything is written to it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *_Atomic cell;
static volatile int seen;

static void *reader(void *unused)
{
    int *p = cell;
    if (p)
        seen = *p; //~ error
    return 0;
}

int main(void)
{
    pthread_t thread;
    cell = malloc(sizeof(int));
    *cell = 1;
    pthread_create(&thread, 0, reader, 0);
    free(cell);
    int *fresh = malloc(sizeof(int));
    *fresh = 2;
    pthread_join(thread, 0);
    if (seen == 3) //~ error
        return 1;
    free(fresh);
    return 0;
}
