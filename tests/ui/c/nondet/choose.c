// verdict: violated assertion
// states: 33
// Every choice is tried.
#include <assert.h>
#include <exeunt.h>

int main(void) {
    int a = exeunt_choose(4), b = exeunt_choose(4);
    assert(a + b != 6); //~ error
    return 0;
}
