// verdict: violated memory
// exeunt: -- -w
// states: 4
#include <stdlib.h>

int main(void) {
    int local = 0;
    free(&local); //~ error
    return 0;
}
