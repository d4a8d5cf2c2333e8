// verdict: holds
// states: 270
// However the function is left, the section is left with it.
#include <exeunt.h>

static int work(int n) {
    exeunt::section inside("work");
    if (n == 0)
        return 0;
    for (int i = 0; i < n; i++) {
        exeunt::section round("round");
        if (i == 1)
            continue;
        if (i == 2)
            break;
    }
    return n;
}

int main() {
    return work(exeunt_choose(4)) > 3;
}
