// verdict: holds
// states: 10
// exeunt: --undefined
// Unsigned arithmetic is defined.
#include <assert.h>

int main(void) {
    volatile unsigned x = 0;
    assert(x - 1 == 0xffffffffu);
    return 0;
}
