// verdict: violated assertion
// states: 45
#include <assert.h>
#include <pthread.h>

static int counter;

static void *work(void *unused)
{
    int r;
    asm volatile("movl %1, %0" : "=r"(r) : "m"(counter) : "memory");
    r++;
    asm volatile("movl %1, %0" : "=m"(counter) : "r"(r) : "memory");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(counter == 2); //~ error
}
