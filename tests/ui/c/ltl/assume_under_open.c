// verdict: violated ltl
// states: 26
// exeunt: --ltl "G !open(join)"
// What an assumption lets through is still looked at.
#include <exeunt.h>
#include <pthread.h>

volatile int x;

static void *work(void *unused)
{
    x = 1;
    exeunt_assume(exeunt_choose(2));
    x = 2;
    exeunt_assume(x == 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
// optimised
