// verdict: violated assertion
// states: 4
// The plainest failure.
#include <assert.h>

int main(void) {
    int x = 6;
    assert(x * 9 == 42); //~ error
    return 0;
}
