// verdict: holds
// states: 9
// native
// Functions that run before and after main.
#include <stdio.h>

__attribute__((constructor(201))) static void second(void) { puts("second"); }
__attribute__((constructor(200))) static void first(void) { puts("first"); }
__attribute__((destructor)) static void last(void) { puts("last"); }

int main(void) {
    puts("main");
    return 0;
}
