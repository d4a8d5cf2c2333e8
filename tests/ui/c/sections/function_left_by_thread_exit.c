// verdict: violated section
// states: 9
// exeunt: --must-return leave
// pthread_exit does not return from the functions it leaves.
#include <pthread.h>

void leave(void)
{
    pthread_exit(0);
}

void *worker(void *unused)
{
    leave(); //~ error
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    for (;;) { }
}
// optimised
