// verdict: holds
// states: 60
// native
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void dive(int depth) {
    if (depth == 0)
        longjmp(back, 7);
    dive(depth - 1);
}

int main(void) {
    volatile int tries = 0;
    int value = setjmp(back);
    printf("%d %d\n", value, tries);
    if (tries++ < 2)
        dive(3);
    return 0;
}
