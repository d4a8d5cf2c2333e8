// verdict: holds
// states: 2
// exeunt: -- -DNDEBUG
// Assertions that are compiled away are not checked.
#include <assert.h>

int main(void) {
    assert(0);
    return 0;
}
