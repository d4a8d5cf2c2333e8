// verdict: violated undefined
// states: 5
#include <ctype.h>

int main(void) {
    int (*volatile is)(int) = isalpha;
    return is(1000); //~ error
}
