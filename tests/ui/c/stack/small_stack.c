// verdict: violated memory
// states: 9
// A thread whose attributes ask for 64 KiB has no room for a local MiB.
#include <pthread.h>

static void *work(void *unused) //~ error
{
    volatile char big[1 << 20];
    big[0] = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 16);
    pthread_create(&thread, &attributes, work, 0);
    pthread_join(thread, 0);
}
