// verdict: holds
// A section is known by its name and its resource: two names, two sections.
#include <exeunt.h>

static int resource;

int main(void) {
    for (;;) {
        exeunt_section_begin("outer", &resource);
        exeunt_section_begin("inner", &resource);
        exeunt_section_end("inner", &resource);
        exeunt_section_end("outer", &resource);
    }
}
