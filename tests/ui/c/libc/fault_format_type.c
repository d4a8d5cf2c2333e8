// verdict: violated undefined
// states: 1
// exeunt: -- -Wno-format
#include <stdio.h>

int main(void) {
    printf("%d\n", 1.5); //~ error
    return 0;
}
