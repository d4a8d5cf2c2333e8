// verdict: holds
// states: 51
// optimised
// A thread with a stack of 64 MiB may have 16 MiB of locals; a size below the
// minimum is refused.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *unused)
{
    char big[16 << 20];
    big[(16 << 20) - 1] = 1;
    assert(big[(16 << 20) - 1] == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    size_t size;
    pthread_attr_init(&attributes);
    pthread_attr_getstacksize(&attributes, &size);
    assert(size == 8 << 20);
    assert(pthread_attr_setstacksize(&attributes, 1000) == EINVAL);
    assert(pthread_attr_setstacksize(&attributes, 64 << 20) == 0);
    pthread_attr_getstacksize(&attributes, &size);
    assert(size == 64 << 20);
    pthread_create(&thread, &attributes, work, 0);
    pthread_join(thread, 0);
}
