// verdict: violated section
// states: 26
// exeunt: --must-return nap
// Nor does cancellation, here with a clean-up handler in between.
#include <pthread.h>
#include <unistd.h>

void nothing(void *unused) { }

void nap(void)
{
    sleep(1);
}

void *worker(void *unused)
{
    pthread_cleanup_push(nothing, 0);
    nap(); //~ error
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    for (;;) { }
}
// optimised
