// verdict: holds
// states: 5
// One name, two resources: two sections that may nest.
#include <exeunt.h>

static int rows[2];

int main(void) {
    for (;;) {
        exeunt_section_begin("row", &rows[0]);
        exeunt_section_begin("row", &rows[1]);
        exeunt_section_end("row", &rows[0]);
        exeunt_section_end("row", &rows[1]);
    }
}
