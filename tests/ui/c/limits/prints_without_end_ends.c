// exeunt: --property termination
// verdict: violated termination
#include <stdio.h>

int main(void) {
    for (;;)
        puts("again"); //~ error
}
