// verdict: violated undefined
// states: 13
// memcpy of overlapping ranges is undefined.
#include <string.h>

int main(void) {
    char text[8] = "abcdefg";
    char *volatile target = text + 1;
    volatile size_t length = 4;
    memcpy(target, text, length); //~ error
    return 0;
}
