// verdict: violated misuse
// states: 2
// Entered under one name, left under another.
#include <exeunt.h>

int main(void) {
    exeunt_wait_begin("news");
    exeunt_wait_end("gnus"); //~ error
    return 0;
}
