// verdict: inconclusive
// states: 11
// As from_outside.c; the number of the signal is not known before.
#include <assert.h>
#include <signal.h>

int handled, number = SIGTERM;

void handler(int signal) { handled = 1; }

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(number, &action, 0);
    assert(!handled);
}
// optimised
