// verdict: violated memory
// states: 69
// The same in a function that the thread calls: its frame is reserved as a whole.
#include <pthread.h>

static __attribute__((noinline)) int use(int i)
{
    volatile char big[60000];
    big[i] = 1;
    return big[i];
}

static __attribute__((noinline)) int twice(int i)
{
    volatile char big[10000];
    big[i] = 1;
    return big[i] + use(i); //~ error
}

static void *work(void *unused)
{
    use(1);
    twice(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 16);
    use(1);
    twice(1);
    pthread_create(&thread, &attributes, work, 0);
    pthread_join(thread, 0);
}
