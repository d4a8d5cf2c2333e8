// verdict: holds
// states: 45
// exeunt: --signals none
// native
// What is raised while it is blocked comes when it is let through, before the call returns; a new
// thread has the mask of its maker.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

int calls;

void handler(int signal) { printf("handler %d\n", ++calls); }

void *worker(void *unused)
{
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, 0, &mask);
    printf("inherited %d\n", sigismember(&mask, SIGUSR1));
    return 0;
}

int main(void)
{
    sigset_t set, old;
    pthread_t t;
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    printf("%d\n", sigprocmask(SIG_BLOCK, &set, &old));
    printf("raise %d, %d\n", raise(SIGUSR1), calls);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    printf("unblock %d\n", sigprocmask(SIG_SETMASK, &old, 0));
    printf("%d\n", calls);
}
// optimised
