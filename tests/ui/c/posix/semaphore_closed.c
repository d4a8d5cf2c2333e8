// verdict: violated misuse
// states: 3
// exeunt: --outside fixed
#include <fcntl.h>
#include <semaphore.h>

int main(void)
{
    sem_t *s = sem_open("/closed", O_CREAT, 0600, 1);
    sem_close(s);
    sem_wait(s); //~ error
}
