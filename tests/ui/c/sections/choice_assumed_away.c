// verdict: holds
// states: 23
// A retry loop, and the assumption that one retry is enough: what is dropped
// is not a way to stay inside.
#include <exeunt.h>

int main(void) {
    int tries = 0;
    exeunt_section_begin("connect", 0);
    while (exeunt_choose(2) == 0) {
        tries++;
        exeunt_assume(tries < 2);
    }
    exeunt_section_end("connect", 0);
    return 0;
}
