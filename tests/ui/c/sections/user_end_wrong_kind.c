// verdict: violated misuse
// states: 2
// Entered as a section, left as a wait.
#include <exeunt.h>

int main(void) {
    exeunt_section_begin("work", 0);
    exeunt_wait_end("work"); //~ error
    return 0;
}
