// setjmp and longjmp out of calls that are made in a loop.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static int maybe(int x) {
    if (x % 9 == 0) longjmp(back, x + 1);
    return x;
}

int main(void) {
    volatile int i = 0, sum = 0;
    int code = setjmp(back);
    if (code) sum += code, i++;
    for (; i < 100; i++) sum += maybe(i);
    printf("%d\n", sum);
}
