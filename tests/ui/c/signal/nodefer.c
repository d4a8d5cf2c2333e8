// verdict: holds
// states: 69
// exeunt: --signals none
// native
// SA_NODEFER lets a handler be interrupted by its own signal; sa_mask keeps another one out.
#include <signal.h>
#include <stdio.h>

int depth, calls;

void other(int signal) { printf("other at depth %d\n", depth); }

void handler(int signal)
{
    depth++;
    printf("depth %d\n", depth);
    raise(SIGUSR2);
    if (calls++ < 2)
        raise(signal);
    depth--;
}

int main(void)
{
    struct sigaction action = {0};
    action.sa_handler = handler;
    action.sa_flags = SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR2);
    sigaction(SIGUSR1, &action, 0);
    signal(SIGUSR2, other);
    raise(SIGUSR1);
    printf("%d %d\n", depth, calls);
}
// optimised
