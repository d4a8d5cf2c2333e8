// verdict: holds
// states: 37
// The same, but only three times.
#include <exeunt.h>

int main(void) {
    exeunt_section_begin("connect", 0);
    for (int i = 0; i < 3 && exeunt_choose(2) == 0; i++) {
    }
    exeunt_section_end("connect", 0);
    return 0;
}
