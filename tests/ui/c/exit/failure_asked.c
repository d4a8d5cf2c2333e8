// verdict: violated exit
// states: 1
// exeunt: --exit-code
// With --exit-code it is.
#include <stdlib.h>

int main(void) {
    exit(3); //~ error
}
