// verdict: holds
// states: 41
// exeunt: --signals none
// native
// siglongjmp brings the mask back, longjmp does not.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

sigjmp_buf with;
jmp_buf without;
int saves;

void handler(int signal)
{
    if (saves)
        siglongjmp(with, 1);
    longjmp(without, 1);
}

int blocked(void)
{
    sigset_t mask;
    sigprocmask(SIG_BLOCK, 0, &mask);
    return sigismember(&mask, SIGUSR1);
}

int main(void)
{
    signal(SIGUSR1, handler);
    saves = 1;
    if (sigsetjmp(with, 1) == 0)
        raise(SIGUSR1);
    printf("%d\n", blocked());
    saves = 0;
    if (setjmp(without) == 0)
        raise(SIGUSR1);
    printf("%d\n", blocked());
}
// optimised
