// verdict: violated memory
// states: 5
#include <stdio.h>

int main(void) {
    FILE *volatile none = NULL;
    fputs("text", none); //~ error
    return 0;
}
