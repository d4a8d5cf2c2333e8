// verdict: violated assertion
// states: 1
#include <stdlib.h>

int main(void) {
    abort(); //~ error
}
