// verdict: violated section
// states: 16
// exeunt: --sections function
// The innermost call waits for a flag that the outermost one sets when it is
// done: none of the calls returns.
#include <exeunt.h>
#include <stdatomic.h>

static atomic_int done;

EXEUNT_MUST_RETURN static void walk(int depth) {
    if (depth == 0)
        while (!done) {
        }
    else
        walk(depth - 1); //~ error
    if (depth == 2)
        done = 1;
}

int main(void) {
    walk(2); //~ error
    return 0;
}
