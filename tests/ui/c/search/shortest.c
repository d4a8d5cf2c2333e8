// verdict: violated assertion
// states: 60
// exeunt: --shortest
// Breadth first finds a shortest way.
#include <assert.h>
#include <exeunt.h>

int main(void) {
    int x = 0;
    for (int i = 0; i < 4; i++) {
        x += exeunt_choose(3);
        assert(x != 4); //~ error
    }
    return 0;
}
