// verdict: holds
// states: any
// reductions: global tau superstep movers full
// native
// optimised
// Thousands of nested calls fit on a stack of 8 MiB, in main and in a thread.
#include <assert.h>
#include <pthread.h>

static int count(int n)
{
    return n ? 1 + count(n - 1) : 0;
}

static void *deep(void *unused)
{
    assert(count(20000) == 20000);
    return unused;
}

int main(void)
{
    pthread_t thread;
    assert(count(5000) == 5000);
    deep(0);
    pthread_create(&thread, 0, deep, 0);
    pthread_join(thread, 0);
}
