// verdict: holds
// exeunt: --signals none --outside fixed
// states: 97
// native
// Signals that a program raises for itself.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void handler(int signal) {
    seen = signal;
}

static void again(int number) {
    seen += 1;
    if (seen < 3)
        raise(SIGUSR2);
}

int main(void) {
    printf("%d ", signal(SIGUSR1, handler) == SIG_DFL);
    printf("%d ", raise(SIGUSR1));
    printf("%d\n", seen);
    printf("%d ", signal(SIGUSR1, SIG_IGN) == handler);
    seen = 0;
    printf("%d %d\n", raise(SIGUSR1), seen);
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = again;
    action.sa_flags = SA_NODEFER;
    sigemptyset(&action.sa_mask);
    printf("%d ", sigaction(SIGUSR2, &action, &old));
    printf("%d ", old.sa_handler == SIG_DFL);
    printf("%d ", kill(getpid(), SIGUSR2));
    printf("%d\n", seen);
    printf("%d %d\n", raise(SIGCHLD), kill(getpid(), 0));
    printf("%d %d\n", raise(77), errno == EINVAL);
    printf("%d ", signal(SIGKILL, handler) == SIG_ERR);
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    printf("%d %d ", sigismember(&set, SIGINT), sigismember(&set, SIGTERM));
    printf("%d ", sigprocmask(SIG_BLOCK, &set, &before));
    printf("%d ", sigprocmask(SIG_SETMASK, &before, &set));
    printf("%d\n", sigismember(&set, SIGINT));
    sigfillset(&set);
    sigdelset(&set, SIGINT);
    printf("%d %d\n", sigismember(&set, SIGINT), sigismember(&set, SIGTERM));
    return 0;
}
