// Catch2 under `exeunt check --test`: a failed check ends the run where it is made. Catch2 asks
// after each failed check whether a debugger is there.
#include <assert.h>

extern "C" bool exeunt_catch_fails() __asm__("_ZN5Catch16isDebuggerActiveEv");
extern "C" bool exeunt_catch_fails() { __assert_fail("the check of this line", "", 0, ""); }
