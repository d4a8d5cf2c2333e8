// verdict: holds
// states: 37
// exeunt: --signals none
// native
// A signal is blocked while its handler runs; what is raised meanwhile comes once, afterwards.
#include <signal.h>
#include <stdio.h>

int inside, calls;

void handler(int signal)
{
    printf("in %d %d\n", inside++, calls);
    if (calls++ == 0) {
        raise(signal);
        raise(signal);
    }
    inside--;
}

int main(void)
{
    signal(SIGUSR1, handler);
    printf("raise %d\n", raise(SIGUSR1));
    printf("%d\n", calls);
}
// optimised
