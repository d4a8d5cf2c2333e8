// verdict: holds
// states: 12
// exeunt: --must-return leave
// The end of the program ends all sections.
#include <pthread.h>

void leave(void)
{
    pthread_exit(0);
}

void *worker(void *unused)
{
    leave();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
// optimised
