// verdict: inconclusive
// states: 6
// Somebody may press Ctrl-C.
#include <assert.h>
#include <signal.h>

int handled;

void handler(int signal) { handled = 1; }

int main(void)
{
    signal(SIGINT, handler);
    assert(!handled);
}
// optimised
