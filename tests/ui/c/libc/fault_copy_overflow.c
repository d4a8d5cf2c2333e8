// verdict: violated memory
// states: 5
#include <string.h>

static char small[4];

int main(void) {
    char *(*volatile copy)(char *, const char *) = strcpy;
    copy(small, "four"); //~ error
    return 0;
}
