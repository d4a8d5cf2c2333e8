// verdict: violated termination
// exeunt: --property termination
// A handler that registers itself again.
#include <stdlib.h>

void handler(void) { atexit(handler); }

int main(void)
{
    atexit(handler);
    exit(0); //~ error
}
