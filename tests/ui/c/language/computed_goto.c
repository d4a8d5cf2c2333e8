// verdict: holds
// states: 62
// native
#include <stdio.h>

int main(void) {
    static void *table[] = {&&add, &&twice, &&print, &&stop};
    const unsigned char program[] = {0, 1, 1, 0, 2, 3};
    int value = 1, at = 0;
    goto *table[program[at++]];
add:
    value += 5;
    goto *table[program[at++]];
twice:
    value *= 2;
    goto *table[program[at++]];
print:
    printf("%d\n", value);
    goto *table[program[at++]];
stop:
    return 0;
}
