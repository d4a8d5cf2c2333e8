// verdict: violated misuse
// states: 1
// Waiting with a normal mutex that is not owned is undefined.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_cond_wait(&c, &m); //~ error
}
// optimised
