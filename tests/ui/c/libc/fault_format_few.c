// verdict: violated undefined
// states: 1
// exeunt: -- -Wno-format
#include <stdio.h>

int main(void) {
    printf("%d %d\n", 1); //~ error
    return 0;
}
