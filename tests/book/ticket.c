#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar next, serving;
static atomic_ulong served;

static void *work(void *unused) {
    for (;;) {
        unsigned char ticket = next++;
        while (serving != ticket)
            ;
        served++;
        serving++;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_exit(0);
}
