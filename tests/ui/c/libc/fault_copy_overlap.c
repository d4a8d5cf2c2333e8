// verdict: violated undefined
// states: 9
#include <string.h>

int main(void) {
    char text[16] = "abcdef";
    char *(*volatile copy)(char *, const char *) = strcpy;
    copy(text + 2, text); //~ error
    return 0;
}
