// verdict: violated section
// states: 38
// exeunt: --all
// The section ends when the same value comes twice in a row; the environment
// can alternate for ever.
#include <exeunt.h>

int main(void) {
    int last = -1;
    exeunt_section_begin("debounce", 0); //~ error
    for (;;) {
        int value = exeunt_choose(2);
        if (value == last)
            break;
        last = value;
    }
    exeunt_section_end("debounce", 0);
    return 0;
}
