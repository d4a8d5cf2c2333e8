// verdict: violated section
// states: 10
// Begin and end by hand: one return forgets the end.
#include <exeunt.h>

static int work(int n) {
    exeunt_section_begin("work", nullptr); //~ error
    if (n == 0)
        return 0;
    exeunt_section_end("work", nullptr);
    return n;
}

int main() {
    work(exeunt_choose(2));
    for (;;) {
    }
}
