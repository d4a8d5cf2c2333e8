// Catch2 under `exeunt check --test`: a failed check ends the run where it is made. Catch2 asks
// after each failed check whether a debugger is there.
#include <assert.h>

extern "C" bool exeunt_catch_fails() __asm__("_ZN5Catch16isDebuggerActiveEv");
extern "C" bool exeunt_catch_fails() { __assert_fail("the check of this line", "", 0, ""); }

// Session::run() without waiting for a key.
extern "C" int exeunt_catch_run_all(void*) __asm__("_ZN5Catch7Session11runInternalEv");
extern "C" int exeunt_catch_run(void*) __asm__("_ZN5Catch7Session3runEv");
extern "C" int exeunt_catch_run(void* session) { return exeunt_catch_run_all(session); }

// Whether the output is a terminal.
extern "C" bool exeunt_catch_colours()
    __asm__("_ZN5Catch12_GLOBAL__N_119useColourOnPlatformEv");
extern "C" bool exeunt_catch_colours() { return false; }
