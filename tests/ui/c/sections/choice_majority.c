// verdict: holds
// states: 119
// The section ends when one value has come twice, in a row or not: that is
// after three rounds at most.
#include <exeunt.h>

int main(void) {
    int seen[2] = {0, 0};
    exeunt_section_begin("vote", 0);
    while (seen[0] < 2 && seen[1] < 2)
        seen[exeunt_choose(2)]++;
    exeunt_section_end("vote", 0);
    return 0;
}
