// verdict: violated termination
// states: 8
// exeunt: --property termination
// The program ends when the input says so; it need not.
#include <exeunt.h>

int main(void) {
    while (exeunt_choose(2)) { //~ error
    }
    return 0;
}
