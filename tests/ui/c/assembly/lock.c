// verdict: holds
// states: 128
// exeunt: --races
// A lock of two instructions protects a counter; its store is an ordinary one of x86.
#include <assert.h>
#include <pthread.h>

static int taken, counter;

static void *work(void *unused)
{
    int mine;
    do {
        mine = 1;
        asm volatile("xchgl %0, %1" : "+r"(mine), "+m"(taken) : : "memory");
    } while (mine);
    counter++;
    asm volatile("movl %1, %0" : "=m"(taken) : "r"(0) : "memory");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(counter == 2);
}
