// verdict: violated assertion
// states: 31
// A local variable may be where one of an earlier call was.
#include <assert.h>
#include <stdint.h>

uintptr_t last;

__attribute__((noinline)) void f(void) {
    volatile int local = 1;
    uintptr_t here = (uintptr_t)&local;
    assert(here != last); //~ error
    last = here;
}

int main(void) {
    f();
    f();
}
// optimised
