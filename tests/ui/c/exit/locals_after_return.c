// verdict: violated memory
// states: 9
// Returning from main does end its variables.
#include <stdlib.h>

int *p;
int x;

void handler(void) { x = *p; } //~ error

int main(void)
{
    int value = 7;
    p = &value;
    atexit(handler);
    return 0;
}
// optimised
