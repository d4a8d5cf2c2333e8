// verdict: holds
// states: 9
// native
// Handlers run in the opposite order.
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first"); }
static void second(void) { puts("second"); }

int main(void) {
    atexit(first);
    atexit(second);
    puts("main");
    exit(0);
}
