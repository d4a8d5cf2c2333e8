// verdict: holds
// states: 13
// exeunt: --property termination
// However the input is, the program ends.
#include <exeunt.h>

int main(void) {
    for (int n = exeunt_choose(3); n > 0; n--) {
    }
    return 0;
}
