// verdict: holds
// states: 31
#include <assert.h>
#include <exeunt.h>

int main(void) {
    int a = exeunt_choose(4), b = exeunt_choose(4);
    assert(a + b <= 6);
    return 0;
}
