// verdict: holds
// states: 5
// An assertion that no schedule breaks.
#include <assert.h>

int main(void) {
    int x = 6;
    assert(x * 7 == 42);
    return 0;
}
