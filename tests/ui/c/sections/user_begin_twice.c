// verdict: violated misuse
// The same resource under two names is the same section.
#include <exeunt.h>

static int resource;

int main(void) {
    exeunt_section_begin("first", &resource);
    exeunt_section_begin("second", &resource); //~ error
    exeunt_section_end("second", &resource);
    exeunt_section_end("first", &resource);
    return 0;
}
