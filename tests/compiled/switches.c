// A small interpreter: a switch in a loop, jumps forwards and backwards.
#include <stdio.h>

static const int program[] = {1, 50, 2, 0, 3, 7, 4, -1, 5, 4, 6, 0};

int main(void) {
    long acc = 0;
    int counter = 0, pc = 0, steps = 0;
    for (;; steps++) {
        int argument = program[pc + 1];
        switch (program[pc]) {
        case 1: counter = argument; pc += 2; break;
        case 2: acc = argument; pc += 2; break;
        case 3: acc += argument * counter; pc += 2; break;
        case 4: counter += argument; pc += 2; break;
        case 5: pc = counter ? argument : pc + 2; break;
        case 6: printf("%ld %d\n", acc, steps); return 0;
        default: return 1;
        }
    }
}
