// verdict: violated misuse
// states: 21
// A `continue` skips the end of the section, and the next round enters it
// again.
#include <exeunt.h>
#include <stdatomic.h>

static atomic_int served;

int main(void) {
    for (;;) {
        exeunt_section_begin("serve", &served); //~ error
        if (exeunt_choose(2))
            continue;
        served ^= 1;
        exeunt_section_end("serve", &served);
    }
}
