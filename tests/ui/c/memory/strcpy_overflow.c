// verdict: violated memory
// states: 7
#include <string.h>

int main(void) {
    char small[4];
    char *volatile target = small;
    strcpy(target, "four"); //~ error
    return 0;
}
