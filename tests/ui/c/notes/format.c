// verdict: holds
// states: 16
// native
// %d reads the lower half of a long.
#include <stdio.h>

int main(void)
{
    long x = (7L << 32) + 42;
    for (int i = 0; i < 2; i++)
        printf("%d %x\n", x, &x == 0 ? 0 : 5L);
    printf("%u %c\n", sizeof x, 'a' + 0L);
}
// optimised
