// verdict: violated assertion
// states: 2
// Our own assertion has a text.
#include <exeunt.h>

int main(void) {
    int doors = 3;
    exeunt_assert(doors == 4, "there are four doors"); //~ error
    return 0;
}
