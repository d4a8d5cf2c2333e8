// verdict: violated assertion
// states: 4
// A handler that returns does not stop abort.
#include <signal.h>
#include <stdlib.h>

static void handler(int signal) {
    (void)signal;
}

int main(void) {
    signal(SIGABRT, handler);
    abort(); //~ error
}
