// verdict: inconclusive
// states: 7
// What is not supported is refused by its name.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

int main(void)
{
    pthread_attr_t a;
    sigset_t set;
    pthread_attr_init(&a);
    sigemptyset(&set);
    pthread_attr_setsigmask_np(&a, &set);
    pthread_attr_getsigmask_np(&a, &set);
    pthread_attr_getaffinity_np(&a, sizeof(cpu_set_t), (cpu_set_t *)&set);
    pthread_setattr_default_np(&a);
}
