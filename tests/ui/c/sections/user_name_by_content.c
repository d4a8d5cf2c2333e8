// verdict: holds
// states: 12
// Without a resource a section is known by its name, wherever the letters of
// it are kept.
#include <exeunt.h>

int main(void) {
    char begin[] = "work", end[] = "work";
    exeunt_section_begin(begin, 0);
    exeunt_section_end(end, 0);
    return 0;
}
