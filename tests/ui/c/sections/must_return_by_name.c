// verdict: violated section
// states: 18
// exeunt: --must-return walk,helper --sections function
// The same from the command line, without a mark in the source; `helper`
// returns, `walk` does not.
#include <stdatomic.h>

static atomic_int done;

__attribute__((noinline)) static int helper(void) {
    return done;
}

__attribute__((noinline)) static void walk(int depth) {
    if (depth == 0)
        while (!helper()) {
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
