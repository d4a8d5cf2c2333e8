// verdict: violated misuse
// states: 2
// One thread cannot be in two sections about the same resource, whatever their
// names are.
#include <exeunt.h>

static int resource;

int main(void) {
    exeunt_section_begin("outer", &resource);
    exeunt_section_begin("inner", &resource); //~ error
    exeunt_section_end("inner", &resource);
    exeunt_section_end("outer", &resource);
    return 0;
}
