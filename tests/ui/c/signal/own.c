// verdict: holds
// states: 15
// Only the program itself causes these, and what is ignored runs no handler.
#include <signal.h>

int handled;

void handler(int signal) { handled = 1; }

int main(void)
{
    struct sigaction old;
    signal(SIGFPE, handler);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_DFL);
    sigaction(SIGINT, 0, &old);
    raise(SIGFPE);
    return !handled;
}
// optimised
