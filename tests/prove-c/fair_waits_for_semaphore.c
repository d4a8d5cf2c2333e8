// verdict: violated
// options: --thread t --env e --fair
#include <semaphore.h>
sem_t s;
int flag;

void t(void) {
    while (!flag)
        ;
}

void e(void) {
    sem_wait(&s);
    flag = 1;
}
