// verdict: violated misuse
// states: 1
// Left, but never entered.
#include <exeunt.h>

int main(void) {
    exeunt_section_end("nothing", 0); //~ error
    return 0;
}
