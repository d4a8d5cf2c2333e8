// verdict: holds
// states: 30
// The same with an end on both ways.
#include <exeunt.h>
#include <stdatomic.h>

static atomic_int ticks;

int main(void) {
    exeunt_section_begin("work", &ticks);
    for (;;) {
        if (exeunt_choose(2) == 0)
            ticks ^= 1;
        exeunt_section_end("work", &ticks);
        exeunt_section_begin("work", &ticks);
    }
}
