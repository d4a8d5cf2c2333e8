// verdict: holds
// states: 27
// native
// exit does not end the variables of whoever calls it, however deep; handlers run in reverse order.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int *outer, *inner;

void first(void) { printf("first %d %d\n", *outer, *inner); }
void second(void) { printf("second %d\n", ++*outer); }

void leave(int value)
{
    int local = value;
    inner = &local;
    exit(0);
}

int main(void)
{
    int value = 7;
    outer = &value;
    atexit(first);
    atexit(second);
    leave(value + 1);
}
// optimised
