// verdict: violated misuse
// states: 2
// Entered twice by the same thread, without being left.
#include <exeunt.h>

static int resource;

int main(void) {
    exeunt_section_begin("work", &resource);
    exeunt_section_begin("work", &resource); //~ error
    exeunt_section_end("work", &resource);
    exeunt_section_end("work", &resource);
    return 0;
}
