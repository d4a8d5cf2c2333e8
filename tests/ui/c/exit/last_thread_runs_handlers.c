// verdict: violated assertion
// states: 3
// With its last thread the program ends as if by exit(0): handlers run.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void handler(void) { assert(0); } //~ error

int main(void)
{
    atexit(handler);
    pthread_exit(0);
}
// optimised
