// verdict: violated misuse
// states: 5
// A semaphore that was destroyed is used.
#include <semaphore.h>

int main(void)
{
    sem_t s;
    sem_init(&s, 0, 1);
    sem_destroy(&s);
    sem_wait(&s); //~ error
}
// optimised
