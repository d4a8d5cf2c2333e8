// verdict: violated termination
// states: 4
// exeunt: --property termination
// A handler that registers itself again.
#include <stdlib.h>

void handler(void) { atexit(handler); } //~ error

int main(void)
{
    atexit(handler);
    exit(0); //~ error
}
// optimised
