// verdict: violated section
// states: 39
// exeunt: --sections user
// The same with an input: the environment can withhold the end, and does.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks;

int main(void) {
    exeunt_section_begin("work", &ticks); //~ error
    for (;;) {
        ticks ^= 1;
        if (exeunt_choose(2) == 0)
            continue;
        exeunt_section_end("work", &ticks);
        exeunt_section_begin("work", &ticks); //~ error
    }
}
