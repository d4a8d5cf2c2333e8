// verdict: holds
// states: 16
// exeunt: --fair --ltl "G (at(work) -> F !at(work))"
// optimised
// An assumption that fails drops the path, also where a formula notices calls.
#include <exeunt.h>
#include <pthread.h>

static void *work(void *unused)
{
    exeunt_assume(exeunt_choose(2));
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
