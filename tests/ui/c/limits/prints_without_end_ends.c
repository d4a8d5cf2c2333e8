// exeunt: --property termination
// verdict: violated termination
// states: 2
#include <stdio.h>

int main(void) {
    for (;;)
        puts("again"); //~ error
}
