// verdict: holds
// exeunt: -- -O2
// states: any
// In position-independent code LLVM would turn the table into 32-bit
// differences of addresses, which mean nothing where addresses are objects.
#include <assert.h>

static int pick(unsigned i) {
    static const char *const words[] = {"alpha", "beta", "gamma"};
    return words[i % 3][0];
}

int main(void) {
    volatile unsigned i = 1;
    assert(pick(i) == 'b');
    return 0;
}
