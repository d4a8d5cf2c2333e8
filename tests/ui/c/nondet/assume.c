// verdict: holds
// states: 39
// Only what was assumed goes on.
#include <assert.h>
#include <exeunt.h>

int main(void) {
    int a = exeunt_choose(10);
    exeunt_assume(a % 2 == 0);
    assert(a != 7);
    return 0;
}
