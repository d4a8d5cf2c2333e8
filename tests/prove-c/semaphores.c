// Semaphores are counters; whoever waits makes no step.
// verdict: holds
// options: --thread takes --env ''
// verdict: violated
// options: --thread takes --env 'posts*'
// verdict: violated
// options: --thread turns --env ''
// verdict: holds
// options: --thread tries --env 'takes*'
#include <semaphore.h>
sem_t s;

void takes(void) {
    for (;;)
        sem_wait(&s);
}

void posts(void) { sem_post(&s); }

void turns(void) {
    for (;;) {
        sem_post(&s);
        sem_wait(&s);
    }
}

void tries(void) {
    while (sem_trywait(&s) == 0)
        ;
}
