// verdict: violated section
// states: 10
// exeunt: --all
// The section is left when an input comes out right, and no input has to.
#include <exeunt.h>

int main(void) {
    exeunt_section_begin("connect", 0); //~ error
    while (exeunt_choose(2) == 0) {
    }
    exeunt_section_end("connect", 0);
    return 0;
}
